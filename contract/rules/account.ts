// Rules for users, user groups and what lets programs and licences in: specification 5.
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
import { characterLength, type Fault, outerSpace, printable, required, unitLength } from './rules.ts'

const lengthOfUserName = characterLength(USER_NAME_MIN, USER_NAME_MAX)
const lengthOfWireUserName = characterLength(1, WIRE_USER_NAME_MAX)
const lengthOfNick = characterLength(0, NICK_MAX)
const lengthOfGroupName = unitLength(1, GROUP_NAME_MAX)
const lengthOfDescription = characterLength(0, DESCRIPTION_MAX)
const lengthOfToken = characterLength(TOKEN_LENGTH, TOKEN_LENGTH)
const lengthOfLicenseSerial = characterLength(1, LICENSE_SERIAL_MAX)

/** Name of a new user, as the console takes it: required, 3-12 letters A-Z, digits and underscores. */
export function userName(value: string): Fault | undefined {
  return (
    required(value) ??
    outerSpace(value) ??
    (/^\w*$/.test(value) ? undefined : { name: 'characters' }) ??
    lengthOfUserName(value)
  )
}

/**
 * Name of a user as the hub takes it: required, 1-32 characters, printable, no outer spaces. Wider than the console's rule: programs
 * and hubs of before have such names (reference 7).
 */
export function wireUserName(value: string): Fault | undefined {
  return required(value) ?? printable(value) ?? outerSpace(value) ?? lengthOfWireUserName(value)
}

/** The name shown for a user: at most 32 characters, printable, no outer spaces; may be empty. The specification gives no rule. */
export function nickName(value: string): Fault | undefined {
  return printable(value) ?? outerSpace(value) ?? lengthOfNick(value)
}

/**
 * Name of a user group: required, 1-32 units, printable, no outer spaces. Units, as for all names of the specification; what is good by
 * them is good where characters are counted, too (reference 7). The hub sees to it that no other has the name.
 */
export function groupName(value: string): Fault | undefined {
  return required(value) ?? printable(value) ?? outerSpace(value) ?? lengthOfGroupName(value)
}

/** Description of a user group: 0-256 characters in a line (reference 4.2). */
export function groupDescription(value: string): Fault | undefined {
  return printable(value) ?? lengthOfDescription(value)
}

/** Rights of a user group: at least one. */
export function somePermission(mask: number): Fault | undefined {
  return mask === 0 ? { name: 'required' } : undefined
}

/** Access token: 64 letters A-Z, a-z and digits. */
export function accessToken(value: string): Fault | undefined {
  return required(value) ?? (/^[A-Za-z0-9]*$/.test(value) ? undefined : { name: 'characters' }) ?? lengthOfToken(value)
}

/** Serial number of a licence: required, capital letters A-F and digits. The specification gives no length: at most 64. */
export function licenseSerial(value: string): Fault | undefined {
  return (
    required(value) ?? (/^[A-F0-9]*$/.test(value) ? undefined : { name: 'characters' }) ?? lengthOfLicenseSerial(value)
  )
}
