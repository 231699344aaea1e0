// Rules for users, user groups, access tokens and licences.
import {
  DESCRIPTION_MAX,
  GROUP_NAME_MAX,
  LICENSE_SERIAL_MAX,
  NICK_MAX,
  TOKEN_LENGTH,
  USER_NAME_MAX,
  USER_NAME_MIN,
  WIRE_USER_NAME_MAX
} from '../limits.ts'
import { characterLength, type Fault, noOuterSpace, printable, required, unitLength } from './rules.ts'

const lengthOfUserName = characterLength(USER_NAME_MIN, USER_NAME_MAX)
const lengthOfWireUserName = characterLength(1, WIRE_USER_NAME_MAX)
const lengthOfNick = characterLength(0, NICK_MAX)
const lengthOfGroupName = unitLength(1, GROUP_NAME_MAX)
const lengthOfDescription = characterLength(0, DESCRIPTION_MAX)
const lengthOfToken = characterLength(TOKEN_LENGTH, TOKEN_LENGTH)
const lengthOfLicenseSerial = characterLength(1, LICENSE_SERIAL_MAX)

/** Name of a new user in the console: required, 3-12 letters A-Z, digits and underscores. */
export function userName(value: string): Fault | undefined {
  return (
    required(value) ??
    noOuterSpace(value) ??
    (/^\w*$/.test(value) ? undefined : { name: 'characters' }) ??
    lengthOfUserName(value)
  )
}

/**
 * User name in requests to the hub: required, 1-32 characters, printable, no outer spaces. Wider than `userName`
 * because programs and earlier hubs created such names.
 */
export function wireUserName(value: string): Fault | undefined {
  return required(value) ?? printable(value) ?? noOuterSpace(value) ?? lengthOfWireUserName(value)
}

/** Nickname of a user: at most 32 characters, printable, no outer spaces; may be empty. */
export function nickName(value: string): Fault | undefined {
  return printable(value) ?? noOuterSpace(value) ?? lengthOfNick(value)
}

/** Name of a wall display: 1-32 characters, printable, no outer spaces. */
export function displayName(value: string): Fault | undefined {
  return required(value) ?? nickName(value)
}

/** Name of a user group: required, 1-32 units, printable, no outer spaces. The hub checks that it is unique. */
export function groupName(value: string): Fault | undefined {
  return required(value) ?? printable(value) ?? noOuterSpace(value) ?? lengthOfGroupName(value)
}

/** Description of a user group: 0-256 printable characters on one line. */
export function groupDescription(value: string): Fault | undefined {
  return printable(value) ?? lengthOfDescription(value)
}

/** Permission mask of a user group: at least one permission. */
export function atLeastOnePermission(mask: number): Fault | undefined {
  return mask === 0 ? { name: 'required' } : undefined
}

/** Access token: 64 letters A-Z, a-z and digits. */
export function accessToken(value: string): Fault | undefined {
  return required(value) ?? (/^[A-Za-z0-9]*$/.test(value) ? undefined : { name: 'characters' }) ?? lengthOfToken(value)
}

/** Serial number of a licence: required, 1-64 upper-case hexadecimal digits. */
export function licenseSerial(value: string): Fault | undefined {
  return (
    required(value) ?? (/^[A-F0-9]*$/.test(value) ? undefined : { name: 'characters' }) ?? lengthOfLicenseSerial(value)
  )
}
