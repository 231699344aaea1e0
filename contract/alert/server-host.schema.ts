// The server of a destination of notifications.
import { textRule } from '../fields.schema.ts'
import { host } from '../rules/rules.ts'
import { isForbiddenServer } from '../stream/address-policy.ts'

/** A name or address that the hub may connect to. The hub checks the address of a name after the lookup. */
export const serverHost = textRule(
  (value) => host(value) ?? (isForbiddenServer(value) ? { name: 'invalid' } : undefined)
)
