// Numbers with meaning: specification 9.

/** Milliseconds. */
export const REQUEST_TIMEOUT = 20_000
export const PREVIEW_RECONNECT = 3000
export const LANGUAGE_COOKIE_DAYS = 30

/** Begins every name under which the console keeps something in the browser. */
export const CACHE_PREFIX = 'headend-'

/** Refresh intervals in milliseconds. */
export const PACE = {
  slowest: 5000,
  slower: 2000,
  slow: 1100,
  normal: 1000,
  fast: 500,
  faster: 300,
  fastest: 100
} as const

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

export const NAME_MAX = 64
export const STREAM_KEY_MAX = 63
export const USER_NAME_MIN = 3
export const USER_NAME_MAX = 12
export const PASSWORD_MAX = 32
export const PORT_MAX = 65535
export const LATENCY_MIN = 20
export const LATENCY_MAX = 8000
export const LATENCY_DEFAULT = 120
export const PASSPHRASE_MIN = 10
export const PASSPHRASE_MAX = 79
export const STREAM_ID_MAX = 256
/** Accepted by our hub where the reference allows more than the specification (reference 4.7). */
export const KEY_MAX = 256
/** Addresses and ranges from which a channel is reached. */
export const ALLOWED_MAX = 32
/** Defaults of the ports that all channels share. */
export const SRT_PORT = 8000
export const RTMP_PORT = 1935
/** Streaming outputs of one channel: specification 9, maximum servers. */
export const SERVERS_MAX = 16
/** Inputs of one channel besides its first, and rules of its schedule. */
export const BACKUPS_MAX = 8
export const SCHEDULE_RULES_MAX = 32
/** Seconds of silence after which a backup takes over, and for which the first input must carry to be taken back. */
export const SWITCH_AFTER = { min: 1, max: 60, standard: 3 } as const
export const SWITCH_BACK = { min: 5, max: 3600, standard: 30 } as const

/** Users and user groups of a hub: one bit of a mask each. */
export const USERS_MAX = 32
export const GROUPS_MAX = 6
export const TOKENS_MAX = 100
export const TOKEN_LENGTH = 64

/** Device groups: units of a name, levels of the tree. */
export const CATALOG_NAME_MAX = 32
export const CATALOG_DEPTH_MAX = 5

/** Lines and days of each log that are kept. */
export const LOG_LINES = { min: 1000, max: 1_000_000, standard: 100_000 } as const
export const LOG_DAYS = { min: 1, max: 3650, standard: 365 } as const

/** Defaults of the hub's ports. */
export const LINK_PORT = 8070

/** Milliseconds without a word from the hub after which shown values are marked stale. */
export const STALE_AFTER = 2500

/** Characters: names of user groups and their descriptions, of users as the hub takes them (reference 7) and as shown. */
export const GROUP_NAME_MAX = 32
export const DESCRIPTION_MAX = 256
export const WIRE_USER_NAME_MAX = 32
export const NICK_MAX = 32

/** Milliseconds that a stream is buffered. */
export const BUFFER_MIN = 1
export const BUFFER_MAX = 2000
/** Times a multicast packet may be handed on. */
export const TTL_MAX = 255
/** Characters of a certificate or key, with the whole chain. */
export const PEM_MAX = 65_536
/** Characters of a licence's serial number. */
export const LICENSE_SERIAL_MAX = 64

/** Bytes of a packet with its headers: reference 4.9. The lowest holds one packet of MPEG-TS with those of IP, UDP and RTP. */
export const MTU_MIN = 228
export const MTU_MAX = 1500
/** Percent that SRT may send beyond the stream, for what is sent once more: reference 4.9. */
export const OVERHEAD_MIN = 5
export const OVERHEAD_MAX = 100
export const OVERHEAD_DEFAULT = 25
/** Players of one output at a time. Not public: ours. */
export const CLIENTS_MAX = 64
export const CLIENTS_DEFAULT = 8
/** Segments in a playlist of HLS, and seconds of each. Not public: ours. */
export const SEGMENTS_MIN = 3
export const SEGMENTS_MAX = 20
export const SEGMENTS_DEFAULT = 5
export const SEGMENT_MIN = 1
export const SEGMENT_MAX = 10
export const SEGMENT_DEFAULT = 2
/** The port of RTSP. */
export const RTSP_PORT = 554
