// The scene of bench/bench_peers.c for POV-Ray; its coordinates are right-handed, hence the negative `right`.
// SPDX-License-Identifier: BSD-3-Clause
#version 3.7;
#include "scene.inc"
global_settings { assumed_gamma 1.0 max_trace_level 1 }
background { rgb 0 }
camera {
    perspective
    location <0, 0, Eye>
    up z
    right -x * image_width / image_height
    angle Fov
    sky z
    look_at <0, cos(radians(Pitch)), Eye - sin(radians(Pitch))>
}
#declare Far = 1e5;
#declare To_Sun = <cos(radians(Sun_El)) * sin(radians(Sun_Az)), cos(radians(Sun_El)) * cos(radians(Sun_Az)), sin(radians(Sun_El))>;
#declare Across = vnormalize(vcross(To_Sun, z));
#declare Wide = 2 * Far * tan(radians(0.265));
light_source {
    Far * To_Sun rgb 1
    #if (Soft) // the least grid that POV-Ray jitters: 2 x 2 shadow rays
        area_light Wide * Across, Wide * vcross(To_Sun, Across), 2, 2 jitter circular orient
    #end
}
#include "mesh.inc"
    texture { pigment { rgb 1 } finish { ambient 0 diffuse Albedo specular 0 } }
}
