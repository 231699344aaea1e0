// Schemas of the IPv6 configuration of an interface.
import * as z from 'zod'
import { own } from '../fields.schema.ts'
import type { StaticRoute as Route } from '../rules/addressing.ts'
import { ipv6Addresses, ipv6Gateway, ipv6NameServers, ipv6Routes } from '../rules/ipv6-addressing.ts'
import type { Fault } from '../rules/rules.ts'
import { StaticRoute } from './addressing.schema.ts'
import { IPV6_METHODS } from './network.ts'

const text = z.string().max(64)

/** The IPv6 configuration of an interface: that in use, and what users have chosen. */
export const IPV6_FIELDS = {
  'ipv6-method': z
    .enum([...IPV6_METHODS, 'other'])
    .optional()
    .meta(
      own(
        '`auto`: addresses are announced by routers (SLAAC) or come from DHCPv6. `static`: users chose them. `off`: IPv6 is off. `other`: set in NetworkManager in a way that the hub does not offer. Absent in the mode `view`'
      )
    ),
  'ipv6-addresses': z
    .array(z.string())
    .optional()
    .meta(
      own('IPv6 addresses in use, with the length of their prefix, such as `2001:db8::7/64`; link-local ones are last')
    ),
  'ipv6-gateway': z.string().optional().meta(own('IPv6 address of the gateway in use; empty text = none')),
  'ipv6-dns': z.array(z.string()).optional().meta(own('IPv6 name servers in use')),
  'ipv6-chosen-addresses': z
    .array(z.string())
    .optional()
    .meta(own('IPv6 addresses that users chose, with `auto` beside the automatic ones. Absent: none')),
  'ipv6-chosen-gateway': z.string().optional().meta(own('IPv6 gateway that users chose. Absent: none')),
  'ipv6-chosen-dns': z
    .array(z.string())
    .optional()
    .meta(own('IPv6 name servers that users chose, with `auto` instead of the automatic ones. Absent: none')),
  'ipv6-routes': z
    .array(StaticRoute)
    .optional()
    .meta(own('Static IPv6 routes that users chose: `to` (network in CIDR notation), `via`. Absent: none'))
}

/** The fields of a request. `ipv6-method` replaces the whole IPv6 configuration; without it, all of it stays. */
export const IPV6_REQUEST = {
  'ipv6-method': z
    .enum(IPV6_METHODS)
    .optional()
    .describe(
      '`auto`, `static` or `off`. With it, the request has the whole IPv6 configuration: absent fields are empty. Without it, IPv6 stays as it is'
    ),
  'ipv6-addresses': z
    .array(text)
    .optional()
    .describe(
      'With the length of their prefix, such as `2001:db8::7/64`, at most 8. With `auto` beside the automatic ones; with `off` ignored'
    ),
  'ipv6-gateway': text
    .optional()
    .describe('With `static` only: link-local, or in one of the networks; empty text = none'),
  'ipv6-dns': z.array(text).optional().describe('Name servers, at most 4. With `auto` instead of the automatic ones'),
  'ipv6-routes': z
    .array(z.object({ to: text, via: text }))
    .optional()
    .describe(
      'Static routes, at most 16: `to` (network in CIDR notation), `via` (gateway, link-local or with `static` in one of the networks)'
    )
}

/** The fields of a request that set IPv6. */
interface Ipv6Request {
  'ipv6-method'?: string | undefined
  'ipv6-addresses'?: readonly string[] | undefined
  'ipv6-gateway'?: string | undefined
  'ipv6-dns'?: readonly string[] | undefined
  'ipv6-routes'?: readonly Route[] | undefined
}

/** Faults by field. */
export function ipv6Faults(request: Ipv6Request): Record<string, Fault | undefined> {
  const { 'ipv6-method': method, 'ipv6-addresses': addresses = [], 'ipv6-gateway': gateway = '' } = request
  const { 'ipv6-dns': servers = [], 'ipv6-routes': routes = [] } = request
  const isEmpty = addresses.length + servers.length + routes.length + gateway.length === 0
  if (method === undefined) return isEmpty ? {} : { 'ipv6-method': { name: 'required' } }
  if (method === 'off') return {}
  return {
    'ipv6-addresses': ipv6Addresses(addresses, method),
    ...(method === 'static' && { 'ipv6-gateway': ipv6Gateway(gateway, addresses) }),
    'ipv6-dns': ipv6NameServers(servers),
    'ipv6-routes': ipv6Routes(routes, method === 'static' ? addresses : undefined)
  }
}
