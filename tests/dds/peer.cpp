// The other side of `tycho live --ros`: a participant of Fast DDS, which knows of Tycho nothing but topics and types.
//   ros_peer DOMAIN LIST OUT SECONDS [V DRIVE_SECONDS]
// LIST: lines "topic type volatile|latched", as DDS has them. Waits until all are found, says "run" on the topic of controls, and writes
// what comes into OUT (u32 line, u32 bytes, bytes) until the other side is gone or SECONDS are over. V: drives rt/viper/cmd_vel with
// it [m/s] at 20 Hz for DRIVE_SECONDS of the wall clock: with TwistStamped, the second half with Twist. Exit 0 where all were found.
//   ros_peer DOMAIN call
// Calls services: each line of standard input is "name type request", type as DDS has it without its ending, request as hexadecimal
// CDR without its encoding; 16 bytes of a client's and a request's number go before it, as ROS 2 on CycloneDDS has it. "-" before the
// name leaves them out. Prints the reply likewise, or "none" after 5 s.
// SPDX-License-Identifier: BSD-3-Clause
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using namespace eprosima::fastdds::dds;
using eprosima::fastrtps::rtps::InstanceHandle_t;
using eprosima::fastrtps::rtps::SerializedPayload_t;
using bytes = std::vector<uint8_t>;

// a type whose samples are their bytes
class raw_type : public TopicDataType {
  public:
    explicit raw_type(const std::string &name)
    {
        setName(name.c_str());
        m_typeSize = 16u << 20;
        m_isGetKeyDefined = false;
        auto_fill_type_object(false);
        auto_fill_type_information(false);
    }
    bool serialize(void *data, SerializedPayload_t *to) override
    {
        const bytes &from = *static_cast<bytes *>(data);
        if (from.size() > to->max_size) {
            return false;
        }
        std::memcpy(to->data, from.data(), from.size());
        to->length = static_cast<uint32_t>(from.size());
        to->encapsulation = CDR_LE;
        return true;
    }
    bool deserialize(SerializedPayload_t *from, void *data) override
    {
        static_cast<bytes *>(data)->assign(from->data, from->data + from->length);
        return true;
    }
    std::function<uint32_t()> getSerializedSizeProvider(void *data) override
    {
        return [data] { return static_cast<uint32_t>(static_cast<bytes *>(data)->size()); };
    }
    void *createData() override
    {
        return new bytes;
    }
    void deleteData(void *data) override
    {
        delete static_cast<bytes *>(data);
    }
    bool getKey(void *, InstanceHandle_t *, bool) override
    {
        return false;
    }
};

static double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static void add(bytes &to, double v)
{
    const uint8_t *p = reinterpret_cast<const uint8_t *>(&v);
    to.insert(to.end(), p, p + 8);
}

// CDR, little end first: stamp 0, frame "" (filled to 8), linear, angular
static bytes twist(double v, bool stamped)
{
    bytes b = { 0, 1, 0, 0 };
    if (stamped) {
        b.insert(b.end(), { 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0 });
    }
    for (int i = 0; i < 6; i++) {
        add(b, i ? 0.0 : v);
    }
    return b;
}

static bytes text(const std::string &s)
{
    bytes b = { 0, 1, 0, 0 };
    uint32_t n = static_cast<uint32_t>(s.size()) + 1;
    b.insert(b.end(), reinterpret_cast<uint8_t *>(&n), reinterpret_cast<uint8_t *>(&n) + 4);
    b.insert(b.end(), s.begin(), s.end());
    b.push_back(0);
    return b;
}

struct peer {
    DomainParticipant *participant = nullptr;
    Publisher *publisher = nullptr;
    Subscriber *subscriber = nullptr;
    std::vector<DataReader *> readers;

    explicit peer(int domain)
    {
        DomainParticipantQos q = PARTICIPANT_QOS_DEFAULT;
        auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
        udp->interfaceWhiteList.push_back("127.0.0.1");
        udp->receiveBufferSize = 4 << 20;
        q.transport().use_builtin_transports = false;
        q.transport().user_transports.push_back(udp);
        q.name("ros_peer");
        participant = DomainParticipantFactory::get_instance()->create_participant(static_cast<uint32_t>(domain), q);
        publisher = participant->create_publisher(PUBLISHER_QOS_DEFAULT);
        subscriber = participant->create_subscriber(SUBSCRIBER_QOS_DEFAULT);
    }
    Topic *topic(const std::string &name, const std::string &type)
    {
        TypeSupport(new raw_type(type)).register_type(participant);
        return participant->create_topic(name, type, TOPIC_QOS_DEFAULT);
    }
    DataWriter *writer(Topic *t)
    {
        DataWriterQos q = DATAWRITER_QOS_DEFAULT;
        q.reliability().kind = RELIABLE_RELIABILITY_QOS;
        q.endpoint().history_memory_policy = eprosima::fastrtps::rtps::DYNAMIC_RESERVE_MEMORY_MODE;
        q.data_sharing().off();
        return publisher->create_datawriter(t, q);
    }
    void read(const std::string &name, const std::string &type, bool latched)
    {
        DataReaderQos q = DATAREADER_QOS_DEFAULT;
        q.reliability().kind = RELIABLE_RELIABILITY_QOS;
        q.history().kind = KEEP_ALL_HISTORY_QOS;
        q.durability().kind = latched ? TRANSIENT_LOCAL_DURABILITY_QOS : VOLATILE_DURABILITY_QOS;
        q.endpoint().history_memory_policy = eprosima::fastrtps::rtps::DYNAMIC_RESERVE_MEMORY_MODE;
        q.data_sharing().off();
        readers.push_back(subscriber->create_datareader(topic(name, type), q));
    }
};

static bool found(DataWriter *w)
{
    PublicationMatchedStatus s;
    w->get_publication_matched_status(s);
    return s.current_count > 0;
}

static bool found(DataReader *r)
{
    SubscriptionMatchedStatus s;
    r->get_subscription_matched_status(s);
    return s.current_count > 0;
}

struct service {
    DataWriter *request;
    DataReader *reply;
};

static bytes from_hex(const std::string &s)
{
    bytes b;
    for (size_t i = 0; i + 1 < s.size(); i += 2) {
        b.push_back(static_cast<uint8_t>(std::stoul(s.substr(i, 2), nullptr, 16)));
    }
    return b;
}

// the reply to a number, as hexadecimal CDR without encoding and numbers
static std::string wait_for(DataReader *reader, const bytes &numbers)
{
    for (double until = now() + 5.0; now() < until;) {
        bytes data;
        SampleInfo info;
        while (reader->take_next_sample(&data, &info) == ReturnCode_t::RETCODE_OK) {
            if (info.valid_data && data.size() >= 20 && std::equal(numbers.begin(), numbers.end(), data.begin() + 4)) {
                std::string out;
                for (size_t i = 20; i < data.size(); i++) {
                    char two[3];
                    std::snprintf(two, sizeof two, "%02x", data[i]);
                    out += two;
                }
                return out.empty() ? "empty" : out;
            }
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return "none";
}

static int call_all(peer &p)
{
    std::map<std::string, service> known;
    std::string line, name, type, hex;
    for (uint8_t number = 1; std::getline(std::cin, line); number++) {
        hex.clear();
        std::istringstream(line) >> name >> type >> hex;
        bool bare = name[0] == '-';
        name = bare ? name.substr(1) : name;
        bool first = !known.count(name);
        if (first) {
            service s = { p.writer(p.topic("rq" + name + "Request", type + "_Request_")), nullptr };
            p.read("rr" + name + "Reply", type + "_Response_", false);
            s.reply = p.readers.back();
            known[name] = s;
        }
        const service &s = known[name];
        for (double until = now() + 10.0; now() < until && !(found(s.request) && found(s.reply));) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        if (first) {
            std::this_thread::sleep_for(std::chrono::milliseconds(300)); // the other side finds us, too
        }
        bytes numbers = { 0xaa, 0xbb, 3, 4, 5, 6, 7, 8, number, 0, 0, 0, 0, 0, 0, 0 }, message = { 0, 1, 0, 0 }, rest = from_hex(hex);
        if (!bare) {
            message.insert(message.end(), numbers.begin(), numbers.end());
        }
        message.insert(message.end(), rest.begin(), rest.end());
        s.request->write(&message);
        std::cout << wait_for(s.reply, numbers) << std::endl;
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && std::string(argv[2]) == "call") {
        peer p(std::atoi(argv[1]));
        return call_all(p);
    }
    if (argc < 5) {
        return 2;
    }
    peer p(std::atoi(argv[1]));
    double seconds = std::atof(argv[4]), v = argc > 6 ? std::atof(argv[5]) : 0.0, drive = argc > 6 ? std::atof(argv[6]) : 0.0;
    std::ifstream list(argv[2]);
    std::vector<std::string> names;
    for (std::string line, name, type, how; std::getline(list, line);) {
        std::istringstream(line) >> name >> type >> how;
        p.read(name, type, how == "latched");
        names.push_back(name);
    }
    // two types on one topic: a participant of Fast DDS has one type for a name, so the plain one has its own
    peer other(std::atoi(argv[1]));
    DataWriter *control = p.writer(p.topic("rt/tycho/control", "std_msgs::msg::dds_::String_"));
    DataWriter *stamped = p.writer(p.topic("rt/viper/cmd_vel", "geometry_msgs::msg::dds_::TwistStamped_"));
    DataWriter *plain = other.writer(other.topic("rt/viper/cmd_vel", "geometry_msgs::msg::dds_::Twist_"));
    double start = now();
    std::string missing = "?";
    while (!missing.empty() && now() - start < 30.0) {
        missing = found(control) ? "" : " control";
        missing += (found(stamped) ? "" : " TwistStamped") + std::string(found(plain) ? "" : " Twist");
        for (size_t i = 0; i < names.size(); i++) {
            missing += found(p.readers[i]) ? "" : " " + names[i];
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    if (!missing.empty()) {
        std::fprintf(stderr, "not found:%s\n", missing.c_str());
        return 1;
    }
    std::printf("found all in %.2f s\n", now() - start);
    std::this_thread::sleep_for(std::chrono::milliseconds(300)); // the other side finds us, too
    bytes word = text("run");
    control->write(&word);
    std::ofstream out(argv[3], std::ios::binary);
    size_t count = 0;
    double said = 0.0, begin = now();
    for (bool any = true; now() - begin < seconds && (any || found(control));) {
        any = false;
        for (uint32_t i = 0; i < p.readers.size(); i++) {
            bytes data;
            SampleInfo info;
            while (p.readers[i]->take_next_sample(&data, &info) == ReturnCode_t::RETCODE_OK) {
                if (info.valid_data) {
                    uint32_t head[2] = { i, static_cast<uint32_t>(data.size()) };
                    out.write(reinterpret_cast<char *>(head), sizeof head);
                    out.write(reinterpret_cast<char *>(data.data()), static_cast<std::streamsize>(data.size()));
                    count++, any = true;
                }
            }
        }
        if (v != 0.0 && now() - begin < drive && now() - said > 0.05) {
            bool first = now() - begin < 0.5 * drive;
            bytes message = twist(v, first);
            (first ? stamped : plain)->write(&message);
            said = now();
        }
        if (!any) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    }
    std::printf("%zu messages in %.1f s\n", count, now() - begin);
    return 0;
}
