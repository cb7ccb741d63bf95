/* validation/validate_parts.c - what docs/validation.md consists of. Parts with cases are measured by unit tests,
 * the others by this program. To add a row: TY_ROW in the case that checks it, and the case here.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "validate.h"

static const validate_case sky[] = {
    { "sky", "ephemeris/sub_points_of_nasa_svs" },
    { "sky", "ephemeris/hourly_sun_of_horizons" },
    { "sky", "ephemeris/apollo_11" },
    { "sky", "ephemeris/states_of_horizons" },
    { "sky", "ephemeris/distance_and_phase_of_nasa_svs" },
    { "kernels", "k_sky/orientation_equals_cspice" },
    { "sky", "sky/irradiance_over_a_year" },
    { "kernels", "k_sky/visible_disk_equals_integration" },
    { "sky", "stars/directions_of_horizons" },
    { "sky", "stars/brightness_of_magnitude_zero" },
    { "render", "looks/the_earth_in_its_phase" },
    { "render", "looks/a_star_is_one_pixel_of_its_flux" },
    { NULL, NULL },
};

static const validate_case skyline[] = {
    { "world", "skyline/tip_of_a_cone_near_and_far" },
    { "world", "skyline/crest_of_a_ridge" },
    { "world", "skyline/light_of_a_bare_sphere_and_behind_a_wall" },
    { NULL, NULL },
};

static const validate_case ground[] = {
    { "io", "raster_import/every_raster_of_the_shared_data_agrees_with_gdal" },
    { "io", "raster_formats/map_projections_agree_with_osr" },
    { "io", "raster_import/two_global_maps_see_the_same_moon" },
    { "world", "export/raster_holds_the_ground" },
    { "study", "measure/crater_density_follows_the_law" },
    { "study", "measure/crater_depths_are_inside_the_published_spread" },
    { "study", "measure/rocks_cover_what_the_law_says" },
    { "study", "measure/roughness_is_what_was_asked_for" },
    { "study", "detail/continues_the_spectrum_of_the_raster" },
    { "terrain", "rock/counted_density_follows_the_law" },
    { "terrain", "rock/denser_around_fresh_craters" },
    { "terrain", "rock/diameter_is_of_what_stands_out" },
    { "terrain", "rock/shapes_are_closed_convex_and_angular" },
    { "terrain", "crater/profile_has_the_depth_it_was_given" },
    { "terrain", "terrain/curvature_is_part_of_the_ground" },
    { "terrain", "terrain/tiles_are_equal_for_any_threads_and_order" },
    { "terrain", "terrain/surface_is_smooth_through_its_samples" },
    { "terrain", "patch/rays_agree_with_marching" },
    { "terrain", "patch/coarser_levels_keep_the_volume" },
    { NULL, NULL },
};

static const validate_case planet[] = {
    { "ground", "descent/at_45_south" },
    { "ground", "descent/across_the_longitude_seam" },
    { "ground", "descent/at_the_pole" },
    { "ground", "shadow/sunrise_behind_a_range" },
    { "ground", "shadow/a_crater_floor_stays_dark" },
    { "ground", "shadow/precision_near_the_site" },
    { "ground", "chart/a_sphere_without_holes" },
    { "ground", "layers/no_step_at_a_rim" },
    { "ground", "supply/a_slow_disk" },
    { NULL, NULL },
};

static const validate_case reflectance[] = {
    { "kernels", "hapke/vectors_of_other_programs" },
    { "kernels", "hapke/components" },
    { "kernels", "hapke/sphere_against_isis" },
    { "render", "render_light/hapke_sphere_against_published_integrals" },
    { "render", "gpu/kernels_as_c_make_the_same_frame" },
    { "kernels", "brdf/reciprocity" },
    { "kernels", "brdf/white_furnace" },
    { "kernels", "brdf/sampled_albedo" },
    { "kernels", "brdf/samplers_match_densities" },
    { "kernels", "k_planck/fractions_of_the_tables" },
    { NULL, NULL },
};

static const validate_case transport[] = {
    { "render", "render_light/wall_shadow_and_penumbra" },
    { "render", "render_light/opposition_peak" },
    { "render", "render_light/integrating_sphere" },
    { "render", "render_light/path_converges" },
    { "render", "render_light/motion_blur" },
    { "render", "looks/albedo_map" },
    { "render", "looks/normal_map" },
    { "render", "looks/ground_that_varies" },
    { "kernels", "k_light/spot" },
    { "sim", "stage/ground_objects_and_lamps" },
    { "render", "looks/kinds_of_a_program" },
    { "io", "mesh/itokawa" },
    { NULL, NULL },
};

static const validate_case truth[] = {
    { "render", "render_geometry/depth_against_the_terrains_own_rays" },
    { "render", "render_geometry/the_same_at_one_astronomical_unit" },
    { "render", "render_geometry/stereo_reprojection" },
    { "render", "render_truth/flow_against_the_second_frame" },
    { "render", "render_truth/rocks_lie_in_their_boxes" },
    { "render", "render_truth/half_a_sphere_is_visible" },
    { "draw", "overlay/lines_lie_where_the_lens_puts_them" },
    { NULL, NULL },
};

static const validate_case camera[] = {
    { "kernels", "camera/vicar_vectors" },
    { "kernels", "camera/laws" },
    { "kernels", "camera/brown_by_hand" },
    { "sensor", "camera/electrons_of_the_aggregator" },
    { "sensor", "camera/vignetting_is_cos4" },
    { "sensor", "camera/defocus_kernels" },
    { "sensor", "camera/glare_is_a_wide_veil" },
    { "sensor", "camera/flare_makes_ghosts" },
    { "sensor", "camera/dust_darkens_some_spots" },
    { "sensor", "camera/response_curves_are_exact" },
    { "sensor", "camera/automatic_exposure_settles" },
    { "sensor", "noise/photon_transfer_line" },
    { "sensor", "noise/data_sheet" },
    { "sensor", "noise/counts_follow_poissons_law" },
    { "sensor", "noise/pattern_by_row_and_column" },
    { "sensor", "noise/hot_and_dead_pixels" },
    { "sensor", "noise/amplifier_model" },
    { "sensor", "color/demosaic_gives_back_smooth_colours" },
    { "sensor", "color/white_balance_scales_over_the_offset" },
    { "sensor", "color/compression_is_jpegs" },
    { "sensor", "fit/linear_camera" },
    { "sensor", "fit/sigmoid_and_gamma_cameras" },
    { NULL, NULL },
};

static const validate_case lidar[] = {
    { "sensor", "lidar/ranges_on_planes_and_spheres" },
    { "sensor", "lidar/driving_past_cylinders" },
    { "sensor", "lidar/beam_tables_are_the_published_ones" },
    { "sensor", "lidar/divergence_returns_both_surfaces" },
    { "sensor", "lidar_model/intensity_is_reflectivity" },
    { "sensor", "lidar_model/dropouts_on_dark_and_grazing_ground" },
    { "sensor", "lidar_model/noise_by_chi_square" },
    { "sensor", "spad/peak_at_two_d_over_c" },
    { "sensor", "spad/pile_up_by_the_poisson_law" },
    { "sensor", "spad/dead_time_against_cycles_one_by_one" },
    { "sensor", "spad/two_surfaces_two_peaks" },
    { NULL, NULL },
};

static const validate_case dust[] = {
    { "dust", "dust/parabolas" },
    { "dust", "dust/ledger" },
    { "dust", "dust/fan_of_the_lrv" },
    { "dust", "dust/fender" },
    { "sim", "dust/fenders_keep_the_deck_clean" },
    { "kernels", "k_dust/shadow_cover_panel" },
    { "dust", "dust/sizes" },
    { "sim", "dust/panels_lose_what_it_hides" },
    { "render", "dust_cloud/beer_lambert" },
    { "render", "dust_cloud/single_scattering" },
    { "render", "dust_cloud/white_furnace" },
    { "render", "dust_cloud/gravity_from_frames" },
    { "render", "dust_lidar/lost_ground_and_false_returns" },
    { "render", "dust_device/kernels_as_c" },
    { "render", "dust_faces/mixes_with_what_it_lies_on" },
    { "dust", "dust_others/plume" },
    { "dust", "dust_others/loose_soil" },
    { "dust", "dust_others/cleaned" },
    { "dust", "dust_others/lies_on_the_ground" },
    { "sim", "dust/on_lenses" },
    { "dust", "dust_meet/objects" },
    { "dust", "dust_meet/rocks" },
    { "dust", "dust_meet/charge" },
    { "dust", "dust_meet/edge_of_a_fan" },
    { "sim", "dust/saved_in_the_middle_of_a_cloud" },
    { "sim", "dust/objects_in_a_run" },
    { NULL, NULL },
};

static const validate_case instruments[] = {
    { "inertial", "allan/published_values" },
    { "inertial", "imu_noise/what_was_put_in_comes_back_after_100_hours" },
    { "inertial", "imu/at_rest_it_feels_gravity_upwards" },
    { "inertial", "imu/a_drive_is_integrated_back" },
    { "inertial", "imu/scale_misalignment_and_bias" },
    { "inertial", "imu/steps_and_limits" },
    { "inertial", "fix/noise_is_normal_and_the_antenna_is_where_it_is" },
    { "inertial", "fix/drift_and_walk" },
    { "inertial", "encoder/counts" },
    { "inertial", "motor/current_and_power" },
    { "inertial", "joint/angle" },
    { "inertial", "sun_sensor/direction_field_and_shadow" },
    { "inertial", "star_tracker/noise_across_and_along" },
    { "inertial", "star_tracker/what_blinds_it" },
    { "inertial", "altimeter/slant_range_over_a_plane" },
    { "inertial", "contact/hysteresis_and_debounce" },
    { "inertial", "odometry/a_rover_that_slips" },
    { "inertial", "power/panel_by_attitude_sun_and_shadow" },
    { "inertial", "power/hours_of_darkness" },
    { "inertial", "power/energy_adds_up" },
    { NULL, NULL },
};

static const validate_case soil[] = {
    { "kernels", "bekker/integral_equals_the_printed_one" },
    { "kernels", "bekker/plate_pressure" },
    { "kernels", "bekker/pure_shear" },
    { "kernels", "bekker/towed_wheel" },
    { "kernels", "bekker/bulldozing" },
    { "kernels", "bekker/units" },
    { "soil", "wheel_static/agrees_with_another_program" },
    { "soil", "wheel/holds_on_a_slope_below_its_limit" },
    { "soil", "scm/plate_closed_form" },
    { "soil", "scm/pure_shear" },
    { "soil", "scm/cylinder_is_exact" },
    { "soil", "scm/lugs_to_a_tenth_of_a_millimetre" },
    { "soil", "scm/compaction_resistance" },
    { "soil", "scm/equals_the_integrals" },
    { "soil", "scm/volume_is_kept" },
    { "vehicle", "regression/flat" },
    { "vehicle", "regression/slopes" },
    { "vehicle", "regression/sinkage" },
    { "vehicle", "regression/start_stop" },
    { NULL, NULL },
};

static const validate_case flow[] = {
    { "kernels", "k_sph/simple_shear_of_one_element" },
    { "kernels", "k_sph/turned_by_a_right_angle" },
    { "kernels", "k_dem/collision_keeps_the_restitution" },
    { "crm", "crm/momentum_and_energy_of_a_collision" },
    { "crm", "crm/bits_do_not_depend_on_threads" },
    { "crm", "crm_device/agrees_with_the_host_after_100_steps" },
    { "bed", "bed/column_swings_and_settles" },
    { "bed", "bed/at_rest_on_a_slope" },
    { "bed", "bed/angle_at_which_it_stops" },
    { "bed", "bed/collapse_of_a_column" },
    { "bed", "bed/plate_bears_what_theory_says" },
    { "bed", "bed/blade_meets_passive_pressure" },
    { "dem", "dem/momentum_and_energy_of_a_collision" },
    { "dem", "dem/a_ball_on_a_slope" },
    { "dem", "dem/weight_and_pull" },
    { "dem", "dem/bits_do_not_depend_on_threads" },
    { "dem", "dem_device/agrees_with_the_host" },
    { "bed", "grains/collapse_of_a_column" },
    { "bed", "grains/hopper" },
    { "bed", "grains/silo" },
    { "bed", "grains/repose" },
    { "patch", "patch/mass_is_kept" },
    { "patch", "patch/same_bits_on_threads_and_when_resumed" },
    { NULL, NULL },
};

static const validate_case rovers[] = {
    { "vehicle", "physics/flight_energy" },
    { "vehicle", "physics/flight_momentum" },
    { "vehicle", "physics/work" },
    { "vehicle", "physics/slopes" },
    { "vehicle", "physics/drop" },
    { "vehicle", "rovers/as_published" },
    { "vehicle", "rovers/differential" },
    { "vehicle", "chassis/tips_over" },
    { "vehicle", "steer/modes" },
    { "vehicle", "steer/in_time" },
    { "vehicle", "climb/the_step_does_not_matter" },
    { "vehicle", "rock/crossed" },
    { "vehicle", "push/steady_sliding" },
    { "vehicle", "push/pressed_in" },
    { "vehicle", "rut/depth" },
    { "vehicle", "rut/pattern" },
    { "sim", "multipass/bekker" },
    { "sim", "multipass/scm" },
    { "sim", "earth/ex1_starts_and_stops" },
    { "sim", "earth/mgru3_climbs" },
    { "sim", "earth/ishigami_turns" },
    { "vehicle", "grid/ruts" },
    { "vehicle", "grid/agrees_with_rig" },
    { "vehicle", "drive/ramp" },
    { "vehicle", "urdf/twin" },
    { "vehicle", "motors/arm_holds_its_drum" },
    { NULL, NULL },
};

static const validate_case runs[] = {
    { "kernels", "philox/known_answers" },
    { "sim", "time/due_in_order_once_and_the_same_bits" },
    { "core", "track/between_keyframes" },
    { "sim", "loop/saved_in_the_middle_goes_on_with_the_same_bits" },
    { "sim", "actors/seen_where_they_are" },
    { "sim", "kinds/lidar_points_lie_on_the_ground" },
    { "sim", "filters/numbers" },
    { "device", "device/rays_agree_with_the_host" },
    { "io", "mcap/every_type" },
    { "io", "exr/round_trip_is_exact" },
    { "io", "cloud/files_hold_the_points" },
    { NULL, NULL },
};

static const validate_case data[] = {
    { "study", "score/depth_of_a_known_error" },
    { "study", "score/boxes_by_hand" },
    { "io", "coco/run_lengths_come_back" },
    { NULL, NULL },
};

const validate_part validate_parts[] = {
    { .title = "Sun, Earth and stars", .cases = sky },
    { .title = "Skyline and sunlight", .cases = skyline },
    { .title = "Ground",
      .cases = ground,
      .remarks =
          "![craters](pictures/measure_craters.png)\n![depths](pictures/measure_depths.png)\n![rocks](pictures/measure_rocks.png)\n\n"
          "Measured back off the finished ground by `tycho terrain measure` ([how](terrain.md)).\n" },
    { .title = "The whole Moon",
      .cases = planet,
      .remarks =
          "Short form: 7 frames of each descent, evenly in the logarithm of the height; 300 in the long tests (`make test-long`).\n" },
    { .title = "Reflectance", .cases = reflectance },
    { .title = "Light", .cases = transport },
    { .title = "Pictures: shadow and radiance of rendered ground",
      .rows = validate_light,
      .check = "[test](../tests/unit/study/test_measure_light.c)",
      .remarks =
          "![pictures](pictures/validation_pictures.png)\n\n"
          "Fractal ground from above. Smith's law takes heights and slopes for independent; on fractal ground high places\n"
          "shade more than that, so that up to a tenth more lies in shadow. The terrain's own rays in double precision find the\n"
          "same share as the pictures (tests/unit/study/test_measure_light.c). The same is why radiance at 4 deg misses: what a low\n"
          "Sun reaches leans towards it far more than slopes that merely face it, which Hapke's law over Gaussian slopes does not know.\n"
          "Over the slopes that the lit pixels have, the law holds (the last row): it is the law of slopes that misses, not the light.\n" },
    { .title = "Ground truth", .cases = truth },
    { .title = "Cameras", .cases = camera },
    { .title = "Lidar and time of flight",
      .cases = lidar,
      .remarks = "![cylinders](pictures/lidar_cylinders.png)\n\n"
                 "Cylinders passed at 20 m/s ([lidar](lidar.md)).\n" },
    { .title = "Dust",
      .cases = dust,
      .remarks =
          "![lidar](pictures/dust_lidar.png)\n\n"
          "No mass rate of dust against slip has been published: shares that fly are free ([dust](dust.md)).\n" },
    { .title = "IMU, other instruments, power", .cases = instruments },
    { .title = "Soil models: formulas", .cases = soil },
    { .title = "Soil that flows (crm, dem)",
      .cases = flow,
      .remarks =
          "Small forms; larger ones, with what they miss, are in src/soil/bed/README.md. `tycho bed` makes all of\n"
          "them.\n"
          "\n"
          "![slip on slopes](pictures/crm_slopes.svg)\n"
          "\n"
          "MGRU3 in loose GRC-1 and a single wheel as its own, by `validation/crm_slopes.py` (numbers:\n"
          "[crm_slopes.csv](crm_slopes.csv); those of crm on one H200). Nothing is fitted. The single wheel lies\n"
          "within 0.10 of both campaigns up to 15 deg at 20 mm and, from 6 deg on, at 10 mm: slip 0.22 on 10 deg,\n"
          "0.33 and 0.35 on 15 deg. The rover on 20 mm slips 0.041, 0.129, 0.304, 0.530, 0.678, 0.766 on 0, 5, 10, 15, 20, 25\n"
          "deg: on 10 deg 0.069 too much (missed; 0.321 in an earlier run from another start, so 0.02 are chance), inside elsewhere, also above, where bekker slides back. Slip\n"
          "is counted by the tips of the lugs here; by the radius at which they shear, as in other tables of this\n"
          "page, it is 0.284 on 10 deg.\n"
          "\n"
          "Why the rover slips more than its wheel: the wheel was led on level soil. In a bed that leans by 10 deg\n"
          "(`tycho bed wheel --set angle_deg=10 --set slip=0.2,0.3`, 20 mm, 4 s each) the same wheel\n"
          "slips 0.27 where its pull is what the slope asks for: soil that is pushed downhill gives way sooner. The rest is the rover's: its rear wheels\n"
          "carry twice what its front ones do, and its soil is 32.5, not 33.4 deg.\n"
          "\n"
          "Why both slip more than what was measured: one mu in all directions, set to sin(phi). A triaxial test of such\n"
          "soil would find 24 deg, not its 33. With strength by direction ([matsuoka1974], `lode: 1`, off unless asked for) and\n"
          "the friction of plane strain that belongs to the triaxial angle (2 t/(3 + 4 t^2)^(1/2), t = tan(phi): 0.593 instead of\n"
          "0.537 at 32.5 deg; nothing is fitted) the rover slips -0.019, 0.081, 0.149, 0.331, 0.517, 0.681 on 0, 5, 10, 15, 20, 25 deg, on 10 deg from another\n"
          "start 0.172: inside up to 15 deg. Above it slips less than the 0.74 to 0.76 and 0.84 to 0.89 that were measured. With sin(phi) left\n"
          "for plane strain it slipped 0.236 on 10 deg, from other starts 0.25 to 0.28, where 0.235 is the bound. The wheel that leans by 10 deg slips 0.12 at 10 mm\n"
          "(pull 34.9 and 49.9 N at a slip of 0.1 and 0.2, 37.5 asked for).\n"
          "\n"
          "Sinkage grows with slip, from 7 mm at 0.05 to 98 mm at 0.8; bekker and scm need a number of their own\n"
          "for that. The same wheel on Earth and on the Moon, the soil's stiffness with gravity: torque over load\n"
          "within 0.2 %, pull over load within 1.1 % ([slonaker2017]); with one stiffness 2.3 and 7.5 %.\n" },
    { .title = "Single wheels, Bekker-Wong model",
      .rows = validate_wheel,
      .check = "[test](../tests/unit/soil/test_measured.c)",
      .remarks =
          "![Ding](pictures/validation_ding.png)\n![KLS-1, Rashid-1](pictures/validation_light.png)\n\n"
          "NRMSE is RMSE / (max - min) of the measured quantity. The points of Ding, KLS-1 and Rashid-1 were\n"
          "digitised approximately by others (`shared/data/README.md`), six or five per curve. How lugs enter the\n"
          "model was chosen among variants by the same six Ding points.\n\n"
          "Good: torque and drawbar pull of the lugged Ding wheel, shape over slip. Not good: drawbar of the\n"
          "smooth wheel at high slip (the model reaches the soil's full strength), sinkage with n1 = 0, and light\n"
          "wheels on firm soil: KLS-1 and Rashid-1, held to the aims of the lugged Ding wheel, are missed by more than their whole range.\n" },
    { .title = "CMU sand: fitted on some slip angles, tested on others",
      .rows = validate_cmu,
      .check = "[test](../tests/unit/soil/test_measured.c)",
      .remarks =
          "![CMU](pictures/validation_cmu.png)\n\n"
          "Bounded to slip -0.5 to 0.9, slip angle at most 45 deg, sinkage under 0.6 r. Not quite blind: that side\n"
          "slip deepens the sinkage was seen in the data of all angles. The published soil misses; the fitted one\n"
          "meets the aims.\n" },
    { .title = "The rig of a run against the steady solution",
      .rows = validate_rig,
      .check = "[test](../tests/unit/soil/test_wheel.c)",
      .remarks = "![rig](pictures/validation_rig.png)\n" },
    { .title = "Soil columns (scm) in the rig",
      .rows = validate_scm,
      .check = "[test](../tests/unit/soil/test_scm.c)",
      .remarks =
          "![scm](pictures/validation_scm.png)\n\n"
          "Columns count shear displacement by the way of the rim, as Bekker and Wong do, lugs shear and push as there, and\n"
          "slip deepens the sinkage by the same n1. Not good: the drawbar pull of Ding's smooth wheel, as with Bekker-Wong: a smooth\n"
          "rim does not reach the soil's full strength, and neither model knows a friction of the rim itself.\n" },
    { .title = "Rovers", .cases = rovers },
    { .title = "Rovers that climb",
      .rows = validate_slope,
      .check = "[test](../tests/unit/vehicle/test_climb.c)",
      .remarks =
          "![slopes](pictures/validation_slope.png)\n![TREC](pictures/validation_trec.png)\n\n"
          "The bed is known: MGRU3 drove in GRC-1 at 15 to 20 % of its relative density ([rezich2025]), 1644 kg/m3 between the limits of 1600 and\n"
          "1890. Strength by density is published ([hu2024]: 33.4, 37.2, 38.4 deg at 1660, 1730, 1760 kg/m3, no cohesion), on that line 32.5 deg. These\n"
          "are taken for triaxial angles; a wheel shears soil along a surface that does not stretch, and there loose sand finds tan = sin phi\n"
          "([davis1968], [rowe1969]), 28.2 deg (`phi_triaxial` in models/soils/grc1_loose.yaml). Loose sand keeps the rut (lambda 0), as soil columns do.\n"
          "Nothing above 10 deg was fitted. The rule is tested where it was not made for: one wheel as MGRU3's on level GRC-3 (TREC), K found at slip\n"
          "below 0.15, pulls as measured from slip 0.2 to 0.6 within the scatter of repeated runs, and 6 deg too much without the rule. Beyond slip 0.7 wheels\n"
          "dig, pull more than the models, and climb where bekker slides back.\n\n"
          "What it hangs on: slip is counted by the radius at which lugs shear the soil (0.243 m here), on which a wheel rolls freely; the study behind\n"
          "the data counts its own simulations by the tips (0.25 m), and how the campaigns counted is not known. Counted by the tips, with K found anew, both\n"
          "models miss on 15 deg, by 0.01 and 0.04. If all soil between the lugs moved with them, so that it sheared at the tips, the two ways to count were one, and\n"
          "slip on 15 deg would be 0.265 (bekker) and 0.240 (scm), the edge of the band. That the published angles are triaxial is our reading of how GRC-1 was tested; taken as angles of shear\n"
          "both models give 0.22. Plate numbers are those of the table, made for another density. The rover is MGRU3's mass on VIPER's\n"
          "geometry; its centre of mass is not known. In bekker rear wheels meet ruts as fresh soil, in scm as pressed soil: the truth lies between.\n" },
    { .title = "Rovers that turn",
      .rows = validate_turn,
      .check = "[test](../tests/unit/vehicle/test_steer.c)",
      .remarks =
          "![turns](pictures/validation_turn.png)\n\n"
          "All wheels turn at one speed, as in the experiment of Ishigami 2007; no measured track is at hand as numbers. The path to compare\n"
          "with is the one without slip, by geometry and by hard ground with wheel speeds that suit the circle. On hard ground at one speed the\n"
          "inner and outer wheels fight each other, and the rover turns wider than on soil, where the fight costs slip instead: four equal wheels\n"
          "under Coulomb friction alone come to the same radius. So \"the rigid path\" is no bound from outside.\n" },
    { .title = "Traces",
      .rows = validate_trace,
      .check = "[test](../tests/unit/vehicle/test_rut.c)",
      .remarks = "![traces](pictures/validation_traces.png)\n" },
    { .title = "Time, runs and files", .cases = runs },
    { .title = "Data sets and scores",
      .cases = data,
      .remarks =
          "What a classical stereo matcher makes of a data set: [stereo](stereo.md), by `validation/stereo.py`.\n"
          "What a network learns from rendered rocks, judged on photographs: [transfer](transfer.md), by `make study`.\n" },
    { .title = "What transfers",
      .rows = validate_transfer,
      .check = "[study](transfer.md), [task](task.md)",
      .remarks =
          "Numbers of the last `make study` and of the baseline's last drive over the held-out fields, which take hours: this program reads them from\n"
          "transfer.csv, transfer_patches.csv and task.csv beside this page and does not compute them again.\n" },
    { .title = NULL },
};
