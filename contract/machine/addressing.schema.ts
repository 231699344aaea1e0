// Schemas of further addresses and static routes of an interface.
import * as z from 'zod'
import { faultIssue, own } from '../fields.schema.ts'
import { furtherAddresses, type StaticRoute as Route, staticRoutes } from '../rules/addressing.ts'

/** Traffic to a network goes to a gateway. */
export const StaticRoute = z.object({
  to: z.string().describe('Network in CIDR notation, such as `10.0.0.0/8`'),
  via: z.string().describe('IPv4 address of the gateway, in a network of the interface')
}) satisfies z.ZodType<Route>

/** The fields of an interface, as they are stored. */
export const ADDRESSING_FIELDS = {
  'further-addresses': z
    .array(z.string())
    .optional()
    .meta(own('Further IPv4 addresses with the length of their prefix, such as `192.168.2.7/24`, at most 8')),
  routes: z.array(StaticRoute).optional().meta(own('Static routes, at most 16: `to` (network in CIDR notation), `via`'))
}

const text = z.string().max(64)

/** The fields of a request. Each replaces the stored list; absent, the stored list stays. */
export const ADDRESSING_REQUEST = {
  'further-addresses': z
    .array(text)
    .superRefine((values, context) => {
      const fault = furtherAddresses(values, '')
      if (fault) context.addIssue(faultIssue(fault))
    })
    .optional()
    .describe('Replaces the further addresses: with the length of their prefix, such as `192.168.2.7/24`, at most 8'),
  routes: z
    .array(z.object({ to: text, via: text }))
    .superRefine((routes, context) => {
      const fault = staticRoutes(routes, undefined)
      if (fault) context.addIssue(faultIssue(fault))
    })
    .optional()
    .describe(
      'Replaces the static routes, at most 16: `to` (network in CIDR notation), `via` (gateway in a network of the interface)'
    )
}
