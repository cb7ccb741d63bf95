# The scene of bench/bench_peers.c for Blender's Cycles on the CPU: blender -b --factory-startup -t 1 -P blender_scene.py -- DIR
# Prints processor seconds of frames with few and with many samples; loading and the first frame's trees drop out of their difference.
# SPDX-License-Identifier: BSD-3-Clause
import array, json, math, os, resource, sys
import bpy, mathutils

folder = sys.argv[-1]
s = json.load(open(os.path.join(folder, "scene.json")))

def numbers(name, kind):
    data = array.array(kind)
    with open(os.path.join(folder, name), "rb") as f:
        data.frombytes(f.read())
    return data

def build():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    vertex, corner = numbers("vertex.f32", "f"), numbers("triangle.u32", "I")
    mesh = bpy.data.meshes.new("ground")
    mesh.vertices.add(len(vertex) // 3)
    mesh.vertices.foreach_set("co", vertex)
    mesh.loops.add(len(corner))
    mesh.loops.foreach_set("vertex_index", array.array("i", corner))
    mesh.polygons.add(len(corner) // 3)
    mesh.polygons.foreach_set("loop_start", array.array("i", range(0, len(corner), 3)))
    mesh.polygons.foreach_set("loop_total", array.array("i", [3]) * (len(corner) // 3))
    mesh.update(calc_edges=True)
    gray = bpy.data.materials.new("gray")
    gray.use_nodes = True
    tree = gray.node_tree
    tree.nodes.clear()
    diffuse, out = tree.nodes.new("ShaderNodeBsdfDiffuse"), tree.nodes.new("ShaderNodeOutputMaterial")
    diffuse.inputs["Color"].default_value = (s["albedo"],) * 3 + (1.0,)
    diffuse.inputs["Roughness"].default_value = 0.0
    tree.links.new(diffuse.outputs[0], out.inputs[0])
    mesh.materials.append(gray)
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("ground", mesh))

def light_and_camera(scene):
    sun = bpy.data.lights.new("sun", "SUN")
    sun.energy, sun.angle = math.pi, math.radians(s["sun_deg"])
    sun.cycles.use_multiple_importance_sampling = False
    a, e = math.radians(s["sun_az_deg"]), math.radians(s["sun_el_deg"])
    o = bpy.data.objects.new("sun", sun)
    o.rotation_mode = "QUATERNION"
    o.rotation_quaternion = mathutils.Vector((math.cos(e) * math.sin(a), math.cos(e) * math.cos(a), math.sin(e))).to_track_quat("Z", "Y")
    scene.collection.objects.link(o)
    camera = bpy.data.cameras.new("camera")
    camera.sensor_fit, camera.angle = "HORIZONTAL", math.radians(s["fov_deg"])
    camera.clip_start, camera.clip_end = 0.01, 1000.0
    c = bpy.data.objects.new("camera", camera)
    c.location, c.rotation_euler = (0.0, 0.0, s["eye"]), (math.radians(90.0 - s["pitch_deg"]), 0.0, 0.0)
    scene.collection.objects.link(c)
    scene.camera = c

def settings(scene):
    r = scene.render
    r.engine, r.threads_mode, r.threads = "CYCLES", "FIXED", 1
    r.resolution_x, r.resolution_y, r.resolution_percentage = s["width"], s["height"], 100
    r.image_settings.file_format, r.image_settings.color_mode = "PNG", "BW"
    scene.view_settings.view_transform = "Standard"
    c = scene.cycles
    c.device, c.use_adaptive_sampling, c.use_denoising = "CPU", False, False
    c.max_bounces = c.diffuse_bounces = c.glossy_bounces = c.transparent_max_bounces = 0
    c.pixel_filter_type, c.filter_width = "BOX", 1.0
    scene.world = bpy.data.worlds.new("black")
    scene.world.use_nodes = False
    scene.world.color = (0.0, 0.0, 0.0)

def cpu():
    u = resource.getrusage(resource.RUSAGE_SELF)
    return u.ru_utime + u.ru_stime

def frame(samples):
    bpy.context.scene.cycles.samples = samples
    start = cpu()
    bpy.ops.render.render(write_still=True)
    return cpu() - start

build()
scene = bpy.context.scene
light_and_camera(scene)
settings(scene)
scene.render.filepath = os.path.join(folder, "cycles.png")
few, many = math.inf, math.inf
for _ in range(s["repeats"]):
    few = min(few, frame(s["few"]))
    many = min(many, frame(s["many"]))
print("PEER %.4f %.4f" % (few, many))
