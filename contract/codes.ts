// Result codes of the hub (docs/wire.md, "Result codes"); 0-54 are the vendor's common status codes. The sentences are
// in `sentences.ts`; a test in `test/house` requires a sentence in both languages for each code.

export const SUCCESS = 0
export const TIMEOUT = 2
export const INTERRUPTED = 3
export const TRY_AGAIN = 4
export const NOT_IMPLEMENTED = 5
export const UNKNOWN_ERROR = 6
export const INVALID_ARG = 7
export const NO_MEMORY = 8
export const UNSUPPORTED = 9
export const DEVICE_BUSY = 11
export const DEVICE_LOST = 12
export const WRITE_FAILED = 15
export const NOT_EXIST = 16
export const TOO_MANY = 17
export const TOO_LARGE = 18
export const FORMAT_ERROR = 21
export const FILE_EXISTS = 22
export const FILE_TYPE_ERROR = 23
export const DEVICE_TYPE_ERROR = 24
export const READ_ONLY = 26
export const RANGE_ERROR = 27
export const NO_SPACE = 29
export const NOT_PERMITTED = 31
export const BAD_ADDRESS = 32
export const AUTH_FAILED = 36
export const NOT_LOGGED_IN = 37
export const WRONG_STATE = 38
/** A certificate, or a private key, that cannot be used. */
export const CA_LICENSE_ERROR = -102
export const CA_KEY_ERROR = -103
/** Also: wrong user name or password. */
export const MISMATCH = 39
export const VERIFY_FAILED = 40
export const ALREADY_EXISTS = 41
export const CANCELED = 42
export const IN_PROGRESS = 43
export const CONN_REFUSED = 44
export const CONN_RESET = 45
export const NO_RESPONSE = 47
export const INFO_CHANGED = 48
export const INVALID_DATA = 49
export const NEED_MORE_DATA = 50
export const BUFFER_FULL = 54
export const PLAY_KEY_EXISTS = 1001
export const PUSH_KEY_EXISTS = 1002
export const NAME_EXISTS = 1003
export const STATE_CHANGED = 1004
/** The same call with `force: true` succeeds. */
export const OBJECT_BUSY = 1005
export const LICENSE_LIMIT = 1006
export const PORT_OCCUPIED = 1007
export const GROUP_MISSING = 1008
/** The same call with `force: true` succeeds, and the data is lost. */
export const DATA_LOSS = 1009
/** The same call succeeds after `reauthenticate` (`access/session.ts`). */
export const REAUTHENTICATION_REQUIRED = 1100
/** The password is right; the same call succeeds with `code`, a code of the second factor. */
export const SECOND_FACTOR_REQUIRED = 1101
/** The same call without `dry-run` succeeds, and takes the channels in `off-air` off air. */
export const OFF_AIR = 1102
/** The user signed in with the right password after the end of the account. */
export const ACCOUNT_EXPIRED = 1103
export const NDI_SOURCE_OFFLINE = 2001
export const NDI_SOURCE_ONLINE = 2002
export const TARGET_TIMEOUT = 10004
export const CLIENT_NOT_EXIST = 10006
export const CLIENT_OFFLINE = 10007

/** Error code of devices; every API generation uses it with this meaning. */
export const DEVICE_ERROR = -4

/**
 * Every code that the hub returns, with its message key. 1 to 54 are MW_STATUS_* codes; negative codes come from
 * devices and licences. Any other code is shown as 'Operation failed. Error code: {code}'. Ultra devices
 * (`device/ultra-codes.ts`) and licences (`license.ts`) use some of the same numbers with other meanings.
 */
export const CODE_KEYS: Readonly<Record<number, string>> = {
  0: 'success',
  1: 'pending',
  2: 'timeout',
  3: 'interrupted',
  4: 'try-again',
  5: 'not-implemented',
  6: 'unknown-error',
  7: 'invalid-arg',
  8: 'no-memory',
  9: 'unsupported',
  10: 'file-busy',
  11: 'device-busy',
  12: 'device-lost',
  13: 'io-failed',
  14: 'read-failed',
  15: 'write-failed',
  16: 'not-exist',
  17: 'too-many',
  18: 'too-large',
  19: 'overflow',
  20: 'underflow',
  21: 'format-error',
  22: 'file-exists',
  23: 'file-type-error',
  24: 'device-type-error',
  25: 'is-directory',
  26: 'read-only',
  27: 'range-error',
  28: 'broken-pipe',
  29: 'no-space',
  30: 'not-directory',
  31: 'not-permitted',
  32: 'bad-address',
  33: 'seek-error',
  34: 'cross-device-link',
  35: 'not-initialized',
  36: 'auth-failed',
  37: 'not-logged-in',
  38: 'wrong-state',
  39: 'mismatch',
  40: 'verify-failed',
  41: 'constraint-violation',
  42: 'canceled',
  43: 'in-progress',
  44: 'conn-refused',
  45: 'conn-reset',
  46: 'addr-in-use',
  47: 'no-response',
  48: 'info-changed',
  49: 'invalid-data',
  50: 'need-more-data',
  51: 'no-buffer',
  52: 'buffer-too-small',
  53: 'buffer-is-empty',
  54: 'buffer-is-full',
  1001: 'play-key-exists',
  1002: 'push-key-exists',
  1003: 'name-exists',
  1004: 'state-changed',
  1005: 'object-busy',
  1006: 'license-limit',
  1007: 'port-occupied',
  1008: 'user-group-missing',
  1009: 'data-loss',
  1100: 'reauthentication-required',
  1101: 'second-factor-required',
  1102: 'off-air',
  1103: 'account-expired',
  2001: 'ndi-source-offline',
  2002: 'ndi-source-online',
  10004: 'target-timeout',
  10006: 'client-not-exist',
  10007: 'client-offline',
  [-4]: 'device-error',
  [-9]: 'device-is-busy',
  [-10]: 'bad-parameters',
  [-11]: 'bad-usage',
  [-14]: 'not-found',
  [-20]: 'license-none',
  [-28]: 'bad-string',
  [-102]: 'ca-license-error',
  [-103]: 'ca-key-error',
  [-107]: 'license-expired',
  [-109]: 'license-error',
  [-110]: 'license-disabled',
  [-111]: 'license-occupied'
}
