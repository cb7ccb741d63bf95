/* bridge/dds/hash.c - hashes of message types (REP 2011, RIHS01), so that ROS 2 of Iron and later knows them. Made by the package
 * rosbags 0.11.9 of PyPI from its definitions of Jazzy; tests/python/read_ros.py makes them again.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include "dds.h"

static const struct {
    const char *type, *hash;
} known[] = {
    { "rosgraph_msgs/msg/Clock", "RIHS01_692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564" },
    { "tf2_msgs/msg/TFMessage", "RIHS01_e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087" },
    { "nav_msgs/msg/Odometry", "RIHS01_3cc97dc7fb7502f8714462c526d369e35b603cfc34d946e3f2eda2766dfec6e0" },
    { "sensor_msgs/msg/Imu", "RIHS01_7d9a00ff131080897a5ec7e26e315954b8eae3353c3f995c55faf71574000b5b" },
    { "sensor_msgs/msg/JointState", "RIHS01_a13ee3a330e346c9d87b5aa18d24e11690752bd33a0350f11c5882bc9179260e" },
    { "sensor_msgs/msg/Image", "RIHS01_d31d41a9a4c4bc8eae9be757b0beed306564f7526c88ea6a4588fb9582527d47" },
    { "sensor_msgs/msg/CameraInfo", "RIHS01_b3dfd68ff46c9d56c80fd3bd4ed22c7a4ddce8c8348f2f59c299e73118e7e275" },
    { "sensor_msgs/msg/PointCloud2", "RIHS01_9198cabf7da3796ae6fe19c4cb3bdd3525492988c70522628af5daa124bae2b5" },
    { "sensor_msgs/msg/BatteryState", "RIHS01_4bee5dfce981c98faa6828b868307a0a73f992ed0789f374ee96c8f840e69741" },
    { "geometry_msgs/msg/Vector3Stamped", "RIHS01_d4829622288cbb443886e7ea94ea5671a3b1be6bab4ad04224432a65f7d7887a" },
    { "geometry_msgs/msg/PointStamped", "RIHS01_4c0296af86e01e562e9e0405d138a01537247580076c58ea38d7923ac1045897" },
    { "geometry_msgs/msg/QuaternionStamped",
      "RIHS01_381add86c6c3160644d228ca342182c7fd6c7fab11c7a85ad817a9cc22dbac6e" },
    { "sensor_msgs/msg/Range", "RIHS01_b42b62562e93cbfe9d42b82fe5994dfa3d63d7d5c90a317981703f7388adff3a" },
    { "geometry_msgs/msg/PoseWithCovarianceStamped",
      "RIHS01_26432f9803e43727d3c8f668d1fdb3c630f548af631e2f4e31382371bfea3b6e" },
    { "std_msgs/msg/Float64MultiArray", "RIHS01_1025ddc6b9552d191f89ef1a8d2f60f3d373e28b283d8891ddcc974e8c55397f" },
    { "std_msgs/msg/String", "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18" },
    { "diagnostic_msgs/msg/DiagnosticArray",
      "RIHS01_5a8a36efb05fb25070fa0fb3810290c0e6cd4862b54a8fb975a1ee8dc55a333e" },
    { "geometry_msgs/msg/Twist", "RIHS01_9c45bf16fe0983d80e3cfe750d6835843d265a9a6c46bd2e609fcddde6fb8d2a" },
    { "geometry_msgs/msg/TwistStamped", "RIHS01_5f0fcd4f81d5d06ad9b4c4c63e3ea51b82d6ae4d0558f1d475229b1121db6f64" },
};

const char *tyb_dds_hash(const char *type)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!strcmp(known[i].type, type)) {
            return known[i].hash;
        }
    }
    return NULL;
}
