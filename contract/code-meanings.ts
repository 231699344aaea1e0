// What the result codes mean on this hub (docs/wire.md, "Result codes"), and the HTTP status that goes with each for
// clients that ask for it (docs/wire.md, "Transport"). Apart from `codes.ts`, which the console imports.
import * as codes from './codes.ts'

interface CodeMeaning {
  meaning: string
  /** HTTP status of an answer with this code as `application/problem+json`. */
  status: number
  /** Mark of the number. */
  source: 'vendor' | 'family' | 'own'
}

export const CODE_MEANINGS: Readonly<Record<number, CodeMeaning>> = {
  [codes.SUCCESS]: { meaning: 'Success', status: 200, source: 'vendor' },
  1: { meaning: 'The same operation is pending', status: 202, source: 'vendor' },
  [codes.TIMEOUT]: { meaning: 'The operation timed out; it may have completed', status: 504, source: 'vendor' },
  [codes.INTERRUPTED]: { meaning: 'Interrupted', status: 500, source: 'vendor' },
  [codes.TRY_AGAIN]: {
    meaning: 'Too busy: too many queued sign-ins, or a bulk action ran out of time before it reached this device',
    status: 503,
    source: 'vendor'
  },
  [codes.NOT_IMPLEMENTED]: {
    meaning: 'The firmware of the device does not have the function',
    status: 501,
    source: 'vendor'
  },
  [codes.UNKNOWN_ERROR]: { meaning: 'Internal error', status: 500, source: 'vendor' },
  [codes.INVALID_ARG]: {
    meaning: 'Invalid or missing request field; see `field` and `fault`',
    status: 400,
    source: 'vendor'
  },
  [codes.NO_MEMORY]: { meaning: 'Not enough memory', status: 507, source: 'vendor' },
  [codes.UNSUPPORTED]: { meaning: 'Not possible for this family, or an unknown path', status: 404, source: 'vendor' },
  10: { meaning: 'File in use', status: 409, source: 'vendor' },
  [codes.DEVICE_BUSY]: {
    meaning: 'The device is being updated; or the hub must not be restarted, shut down or reset now, with `message`',
    status: 409,
    source: 'vendor'
  },
  [codes.DEVICE_LOST]: { meaning: 'The device is offline (firmware updates)', status: 409, source: 'vendor' },
  13: { meaning: 'Read or write error', status: 500, source: 'vendor' },
  14: { meaning: 'Read error', status: 500, source: 'vendor' },
  [codes.WRITE_FAILED]: { meaning: 'Write error', status: 500, source: 'vendor' },
  [codes.NOT_EXIST]: {
    meaning: 'The object does not exist, or the caller may not see it',
    status: 404,
    source: 'vendor'
  },
  [codes.TOO_MANY]: { meaning: 'A number limit is reached; see `max` and `of`', status: 409, source: 'vendor' },
  [codes.TOO_LARGE]: { meaning: 'A size limit is exceeded; see `max`', status: 413, source: 'vendor' },
  19: { meaning: 'Above the range', status: 400, source: 'vendor' },
  20: { meaning: 'Below the range', status: 400, source: 'vendor' },
  [codes.FORMAT_ERROR]: { meaning: 'Invalid header of a firmware file', status: 422, source: 'vendor' },
  [codes.FILE_EXISTS]: { meaning: 'This firmware version exists; `force` replaces it', status: 409, source: 'vendor' },
  [codes.FILE_TYPE_ERROR]: { meaning: 'Wrong file type', status: 422, source: 'vendor' },
  [codes.DEVICE_TYPE_ERROR]: { meaning: 'Firmware for another model or hardware', status: 422, source: 'vendor' },
  25: { meaning: 'Is a directory', status: 409, source: 'vendor' },
  [codes.READ_ONLY]: { meaning: 'Read-only', status: 403, source: 'vendor' },
  [codes.RANGE_ERROR]: {
    meaning: 'Wrong offset of a chunk; `offset` has the expected one',
    status: 416,
    source: 'vendor'
  },
  28: { meaning: 'Connection lost', status: 502, source: 'vendor' },
  [codes.NO_SPACE]: { meaning: 'Not enough free space', status: 507, source: 'vendor' },
  30: { meaning: 'Is not a directory', status: 409, source: 'vendor' },
  [codes.NOT_PERMITTED]: { meaning: 'No permission', status: 403, source: 'vendor' },
  [codes.BAD_ADDRESS]: { meaning: 'The address policy forbids this address', status: 403, source: 'vendor' },
  33: { meaning: 'Read error', status: 500, source: 'vendor' },
  34: { meaning: 'Not supported', status: 501, source: 'vendor' },
  35: { meaning: 'Not initialized', status: 503, source: 'vendor' },
  [codes.AUTH_FAILED]: {
    meaning: 'A device refuses the login; a console update is signed with an untrusted key',
    status: 502,
    source: 'vendor'
  },
  [codes.NOT_LOGGED_IN]: { meaning: 'No valid session or access token', status: 401, source: 'vendor' },
  [codes.WRONG_STATE]: { meaning: 'Not possible in the current state', status: 409, source: 'vendor' },
  [codes.MISMATCH]: { meaning: 'Wrong user name or password', status: 403, source: 'vendor' },
  [codes.VERIFY_FAILED]: {
    meaning: 'Checksum or signature mismatch; a device has another certificate',
    status: 422,
    source: 'vendor'
  },
  [codes.ALREADY_EXISTS]: {
    meaning: 'An object with this unique value exists; see `exists`',
    status: 409,
    source: 'vendor'
  },
  [codes.CANCELED]: { meaning: 'Cancelled', status: 409, source: 'vendor' },
  [codes.IN_PROGRESS]: { meaning: 'The same kind of operation is in progress', status: 409, source: 'vendor' },
  [codes.CONN_REFUSED]: { meaning: 'Connection refused', status: 502, source: 'vendor' },
  [codes.CONN_RESET]: { meaning: 'Connection reset', status: 502, source: 'vendor' },
  46: { meaning: 'Address in use', status: 409, source: 'vendor' },
  [codes.NO_RESPONSE]: { meaning: 'No response, or unknown host', status: 504, source: 'vendor' },
  [codes.INFO_CHANGED]: { meaning: 'Changed meanwhile', status: 409, source: 'vendor' },
  [codes.INVALID_DATA]: { meaning: 'Invalid response of a device', status: 502, source: 'vendor' },
  [codes.NEED_MORE_DATA]: { meaning: 'The upload is incomplete', status: 400, source: 'vendor' },
  51: { meaning: 'Not enough memory', status: 507, source: 'vendor' },
  52: { meaning: 'Not enough memory', status: 507, source: 'vendor' },
  53: { meaning: 'No data', status: 409, source: 'vendor' },
  [codes.BUFFER_FULL]: { meaning: 'Not enough memory', status: 507, source: 'vendor' },
  [codes.PLAY_KEY_EXISTS]: {
    meaning: 'Another channel, or another output at the same port, has this play key, or an output has it twice',
    status: 409,
    source: 'own'
  },
  [codes.PUSH_KEY_EXISTS]: {
    meaning: 'Another channel or output has this push key, or it equals the play key',
    status: 409,
    source: 'own'
  },
  [codes.NAME_EXISTS]: { meaning: 'The name, or the serial number, is in use', status: 409, source: 'own' },
  [codes.STATE_CHANGED]: { meaning: 'Another user changed the object first; see `by`', status: 409, source: 'own' },
  [codes.OBJECT_BUSY]: {
    meaning: 'In use; the same call with `force` set to `true` succeeds',
    status: 409,
    source: 'own'
  },
  [codes.LICENSE_LIMIT]: {
    meaning: 'A licence limit is reached; see `of`, `max` and `used`',
    status: 403,
    source: 'own'
  },
  [codes.PORT_OCCUPIED]: {
    meaning: 'The port of the hub is in use; see `port` and `holder`',
    status: 409,
    source: 'own'
  },
  [codes.GROUP_MISSING]: { meaning: 'Unknown user group', status: 404, source: 'own' },
  [codes.DATA_LOSS]: {
    meaning:
      'A downgrade, or a restart, shutdown or reset while channels run or uploads are incomplete; the same call with `force` succeeds',
    status: 409,
    source: 'own'
  },
  [codes.REAUTHENTICATION_REQUIRED]: {
    meaning: 'The session has to prove its password again; then the same call succeeds',
    status: 403,
    source: 'own'
  },
  [codes.SECOND_FACTOR_REQUIRED]: {
    meaning: 'The password is right; the same call succeeds with a `code` of the second factor',
    status: 403,
    source: 'own'
  },
  [codes.OFF_AIR]: {
    meaning: 'With `dry-run`: channels would go off air; see `off-air`. The same call without `dry-run` succeeds',
    status: 409,
    source: 'own'
  },
  [codes.ACCOUNT_EXPIRED]: {
    meaning: 'The password is right, but the account of the user has ended',
    status: 403,
    source: 'own'
  },
  [codes.NDI_SOURCE_OFFLINE]: { meaning: 'The NDI source is offline', status: 409, source: 'own' },
  [codes.NDI_SOURCE_ONLINE]: { meaning: 'The NDI source is online', status: 409, source: 'own' },
  [codes.TARGET_TIMEOUT]: { meaning: 'The device gave no valid response in time', status: 504, source: 'own' },
  [codes.CLIENT_NOT_EXIST]: {
    meaning: 'Relay: unknown device. Device added by address: another device is at this address',
    status: 404,
    source: 'own'
  },
  [codes.CLIENT_OFFLINE]: { meaning: 'The device has no connection to the hub', status: 409, source: 'own' },
  [codes.DEVICE_ERROR]: {
    meaning: 'Error of a device; in the operation log also the code of an Ultra device',
    status: 502,
    source: 'family'
  },
  [-9]: { meaning: 'The device is busy', status: 409, source: 'family' },
  [-10]: { meaning: 'Invalid parameters; of a licence: invalid certificate', status: 400, source: 'family' },
  [-11]: { meaning: 'Not supported', status: 501, source: 'family' },
  [-14]: { meaning: 'Not found; of a licence: it does not exist', status: 404, source: 'family' },
  [-20]: { meaning: 'No licence was added; the built-in limits apply', status: 403, source: 'family' },
  [-28]: { meaning: 'Characters that are not allowed', status: 400, source: 'family' },
  [codes.CA_LICENSE_ERROR]: {
    meaning: 'The certificate of the licence is not trusted; a certificate of HTTPS cannot be used',
    status: 422,
    source: 'family'
  },
  [codes.CA_KEY_ERROR]: {
    meaning: 'The key of the licence does not match its certificate; a private key of HTTPS cannot be used',
    status: 422,
    source: 'family'
  },
  [-107]: { meaning: 'The licence has expired', status: 403, source: 'family' },
  [-109]: { meaning: 'Licence error', status: 403, source: 'family' },
  [-110]: { meaning: 'The licence is disabled', status: 403, source: 'family' },
  [-111]: { meaning: 'The licence is activated by another user', status: 409, source: 'family' }
}
