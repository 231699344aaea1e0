// Limits and defaults that console and hub share (docs/wire.md, "Limits").

/** Milliseconds. */
export const REQUEST_TIMEOUT = 20_000
/** For a file of the console itself: a language pack. */
export const CHUNK_TIMEOUT = 120_000
export const PREVIEW_RECONNECT = 3000
export const LANGUAGE_COOKIE_DAYS = 30

/** Prefix of every cookie and local storage key of the console. */
export const CACHE_PREFIX = 'headend-'
/** In local storage: `light` or `dark`; absent = the theme of the operating system. */
export const THEME_KEY = `${CACHE_PREFIX}theme`

/** Refresh intervals in milliseconds. */
export const REFRESH_INTERVAL = {
  rare: 60_000,
  slowest: 5000,
  slower: 2000,
  slow: 1100,
  normal: 1000,
  fast: 500,
  faster: 300,
  fastest: 100
} as const

/** Milliseconds by which a preview image may be late. An older one is stale. */
export const PREVIEW_GRACE = 3000

/** Bytes. */
export const PREVIEW_BUFFER = 1 << 20
export const BOUNDARY_SEARCH_LIMIT = 48
export const CONTENT_HEADER_LIMIT = 1024

export const BADGE_CAP_DEVICES = 9999
export const BADGE_CAP_FLAG = 1

/** Minutes: the session expiry of a new hub, the longest one, and never. */
export const SESSION_EXPIRY = 30
export const SESSION_EXPIRY_MAX = 1440
export const SESSION_NEVER = -1
/** Days after the sign-in at which a session ends however much it is used, unless sessions never expire. */
export const SESSION_DAYS_MAX = 30
/** Hours after the sign-in at which a session of the Admin group ends: on a new hub, which is the most. */
export const ADMIN_SESSION_MAX = 12
/** Minutes after a proof of the password for which a session may make calls that need one (`Call.reauthenticate`). */
export const REAUTHENTICATE_AFTER = 10

export const NAME_MAX = 64
export const STREAM_KEY_MAX = 63
export const USER_NAME_MIN = 3
export const USER_NAME_MAX = 12
export const PASSWORD_MAX = 32
/** Characters that a new password needs at least, until an administrator sets other rules. */
export const PASSWORD_LENGTH_DEFAULT = 8
export const PORT_MAX = 65535
export const LATENCY_MIN = 20
export const LATENCY_MAX = 8000
export const LATENCY_DEFAULT = 120
export const PASSPHRASE_MIN = 10
export const PASSPHRASE_MAX = 79
export const STREAM_ID_MAX = 256
/** Units of a stream key in requests to the hub; longer than the console's limit. */
export const WIRE_KEY_MAX = 256
/** Names under which the hub answers besides its own, and characters of each. */
export const HOST_NAMES_MAX = 32
export const HOST_NAME_MAX = 253
/** Characters of one label of a host name (RFC 1123). */
export const HOST_LABEL_MAX = 63
/**
 * Range of times to which the clock of the machine can be set: the years 2000 to 2099, in milliseconds since the
 * epoch.
 */
export const CLOCK_MIN = 946_684_800_000
export const CLOCK_MAX = 4_102_444_799_999
/** Entries of an IP allow list. */
export const ALLOW_LIST_MAX = 32
/** Defaults of the shared ports. */
export const SRT_PORT = 8000
export const RTMP_PORT = 1935
/** Default port of the files server: HLS outputs and downloads. */
export const FILES_PORT = 8080
/** Bytes of the announced name `MACHINE (name)` of an NDI source in UTF-8: the length of a DNS label. */
export const NDI_NAME_BYTES = 63
/** Bytes of the name of a machine in NDI, which leaves its sources 12. */
export const NDI_MACHINE_BYTES = 48
/** Port of NDI discovery servers. */
export const NDI_DISCOVERY_PORT = 5959
/** Network interfaces that NDI uses. */
export const NDI_IFACES_MAX = 8
/** Port of syslog over UDP (RFC 5426). */
export const SYSLOG_PORT = 514
/** Outputs of one channel, and streaming servers of one device. */
export const CHANNEL_OUTPUTS_MAX = 16
/** Channels whose audio levels one request may read. */
export const CHANNEL_LEVELS_MAX = 100
/** Backup inputs of one channel, and rules of its schedule. */
export const BACKUPS_MAX = 8
export const SCHEDULE_RULES_MAX = 32
/** Days of one request for the calendar of channels, at most. */
export const CALENDAR_DAYS_MAX = 42
/** Entries of each list in a response of the calendar of channels, at most. */
export const CALENDAR_ENTRIES_MAX = 1000
/**
 * Upper bounds of the numbers above which a channel is degraded: percent of lost packets, and discontinuities within
 * 10 s.
 */
export const LOSS_PERCENT_MAX = 100
export const DISCONTINUITIES_MAX = 1000
/** Seconds for which the content of an input has to be faulty. */
export const CONTENT_AFTER = { min: 1, max: 3600 } as const
/** Peak in dBFS up to which sound is silence, and short-term loudness in LUFS. */
export const SILENCE_LEVEL = { min: -100, max: -20, default: -60 } as const
export const LOUDNESS_LEVEL = { min: -70, max: 0 } as const
/** Pixels, frames per second, audio channels and letters of an expected format. */
export const PICTURE_SIZE_MAX = 16_384
export const FPS_MAX = 300
export const SOUND_CHANNELS_MAX = 16
export const CODEC_NAME_MAX = 32
/**
 * Seconds without data before failover to a backup input, and seconds with data before the channel returns to its
 * first input.
 */
export const SWITCH_AFTER = { min: 1, max: 60, default: 3 } as const
export const SWITCH_BACK = { min: 5, max: 3600, default: 30 } as const

/** Users and user groups of a hub. Each has one bit of a 32-bit mask as its id. */
export const USERS_MAX = 32
export const GROUPS_MAX = 6
export const TOKENS_MAX = 100
export const TOKEN_LENGTH = 64

/** Catalogs (device groups): units of a name, levels of the tree. */
export const CATALOG_NAME_MAX = 32
export const CATALOG_DEPTH_MAX = 5

/** Retention of each log, in lines and days. The minimum of days gives an administrator time to read what happened. */
/** `max`: also the most lines of the operation log, however young they are, so that it does not fill the disk. */
export const LOG_LINES = { min: 1000, max: 1_000_000, default: 100_000 } as const
/** `min`: the operation log keeps its lines so long, whatever the number of lines is set to. */
export const LOG_DAYS = { min: 90, max: 3650, default: 365 } as const

/** Default port for device registration. */
export const LINK_PORT = 8070

/** Milliseconds without a response from the hub after which the console marks values as stale. */
export const STALE_AFTER = 2500

/** Characters: name and description of a user group, user name in requests to the hub, nickname. */
export const GROUP_NAME_MAX = 32
export const DESCRIPTION_MAX = 256
export const WIRE_USER_NAME_MAX = 32
export const NICK_MAX = 32

/** Playback buffer in milliseconds. */
export const BUFFER_MIN = 1
export const BUFFER_MAX = 2000
/** Characters of an NDI name, which is the length of a DNS name, and of a list of NDI groups. */
export const NDI_NAME_MAX = 253
export const NDI_GROUPS_LENGTH_MAX = 253
/** Addresses of an NDI source at which the hub searches besides the local network, and discovery servers. */
export const NDI_EXTRA_IPS_MAX = 16
export const NDI_DISCOVERY_SERVERS_MAX = 2
/** Time to live of multicast packets. */
export const TTL_MAX = 255
/** Characters of a PEM file with the whole certificate chain. */
export const PEM_MAX = 65_536
/** Characters of the trusted certificates of an input or output, in PEM. */
export const TRUSTED_CERTIFICATES_MAX = 16_384
/** Characters of a licence's title. */
export const LICENSE_TITLE_MAX = 64
/** Characters of a licence's serial number. */
export const LICENSE_SERIAL_MAX = 64

/** Number of an audio track, gain in dB, and delay of the sound in milliseconds, of an output with AAC. */
export const AUDIO_TRACK_MAX = 16
export const AUDIO_GAIN_MIN = -30
export const AUDIO_GAIN_MAX = 30
export const AUDIO_DELAY_MAX = 5000

/**
 * Bytes of an IP packet. The minimum holds one MPEG-TS packet (188) and the headers of IP (20), UDP (8) and RTP (12).
 */
export const MTU_MIN = 228
export const MTU_MAX = 1500
/** SRT bandwidth overhead for retransmission, in percent. */
export const OVERHEAD_MIN = 5
export const OVERHEAD_MAX = 100
export const OVERHEAD_DEFAULT = 25
/** Concurrent players of one output. */
export const CLIENTS_MAX = 64
export const CLIENTS_DEFAULT = 8
/** Pages that play channels at the same time, of all users. */
export const WATCHERS_MAX = 32
/** Of one user: with a further page the one that began first gives way. */
export const WATCHERS_PER_USER_MAX = 4
/** HLS: segments of a playlist, and seconds of a segment. */
export const SEGMENTS_MIN = 3
export const SEGMENTS_MAX = 20
export const SEGMENTS_DEFAULT = 5
export const SEGMENT_MIN = 1
export const SEGMENT_MAX = 10
export const SEGMENT_DEFAULT = 2
/** The sub stream of an RTSP output: pixels at most, and kbps of its video and audio together. */
export const SUB_STREAM = { width: 640, height: 360, kbps: 600 } as const
/** Default port of RTSP. */
export const RTSP_PORT = 554

/** Highest number of a program in MPEG-TS. */
export const PROGRAM_MAX = 65_535

/** Characters of the note of an acknowledgement. */
export const PROBLEM_NOTE_MAX = 200

/** Seconds in which a change of the network has to be confirmed. */
export const NETWORK_CONFIRM_SECONDS = 60
/** MTU of an interface in bytes: the least for IPv4 hosts (RFC 791), and jumbo frames. */
export const INTERFACE_MTU_MIN = 576
export const INTERFACE_MTU_MAX = 9216
/** Minimum MTU of an interface with IPv6, in bytes (RFC 8200, 5): below it the kernel turns IPv6 off. */
export const IPV6_MTU_MIN = 1280
/** VLAN ID (IEEE 802.1Q). */
export const VLAN_MAX = 4094
/** Of a network interface: IPv4 addresses beyond the first one, and static routes. */
export const FURTHER_ADDRESSES_MAX = 8
export const STATIC_ROUTES_MAX = 16
/** IPv6 addresses and name servers that a network interface is given. */
export const IPV6_ADDRESSES_MAX = 8
export const IPV6_NAME_SERVERS_MAX = 4
/** Characters of the name that users give to an interface. */
export const INTERFACE_LABEL_MAX = 32
/** Bytes of the name of a Wi-Fi network, and characters of its password. */
export const SSID_MAX = 32
export const WIFI_PASSWORD_MIN = 8
export const WIFI_PASSWORD_MAX = 63

/** Seconds in which a change of the firewall that blocks ports has to be confirmed. */
export const FIREWALL_CONFIRM_SECONDS = 60
/** Rules of the firewall, and characters of a remark. */
export const FIREWALL_RULES_MAX = 128
export const FIREWALL_REMARK_MAX = 64

/** Sources or destinations of a matrix of the NDI router, and characters of the label of a source or destination. */
export const MATRIX_SIDE_MAX = 64
export const LABEL_MAX = 64

/** Characters of the passphrase of an export. */
export const EXPORT_PASSPHRASE_MIN = 12
export const EXPORT_PASSPHRASE_MAX = 256

/** Days for which recordings are kept; 0: for ever. GB of the recordings of a channel. */
export const RECORDING_DAYS = { default: 30, max: 3650 } as const
export const RECORDING_GB_MAX = 1_000_000
