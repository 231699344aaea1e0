// Schemas of machine/network.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { ALREADY_EXISTS, IN_PROGRESS, INVALID_ARG, NOT_EXIST, OBJECT_BUSY, READ_ONLY, WRONG_STATE } from '../codes.ts'
import { emptyRequest, faultIssue, own, text, textRule, vendor } from '../fields.schema.ts'
import { dryRun } from '../off-air.schema.ts'
import {
  firstNameServer,
  interfaceAddress,
  interfaceGateway,
  interfaceLabel,
  interfaceMask,
  mtu,
  secondNameServer,
  ssid,
  vlanId,
  wifiPassword,
  wifiSecurity
} from '../rules/interface.ts'
import type { Fault } from '../rules/rules.ts'
import { ADDRESSING_FIELDS, ADDRESSING_REQUEST } from './addressing.schema.ts'
import { IPV6_FIELDS, IPV6_REQUEST, ipv6Faults } from './ipv6.schema.ts'
import { MachineAccess } from './machine.schema.ts'
import { INTERFACE_KINDS, INTERFACE_USES, UNDO_REASONS, WIFI_SECURITIES } from './network.ts'

/** Name of an interface in Linux: at most 15 bytes, no slash, no space. */
const iface = z.string().regex(/^[\w.:@-]{1,15}$/)

/** A whole number that must satisfy a rule for the text of a form field. */
const numberRule = (rule: (value: string) => Fault | undefined) =>
  z.int().superRefine((value, context) => {
    const fault = rule(String(value))
    if (fault) context.addIssue(faultIssue(fault))
  })

/** Faults of an address by field; empty text is a missing value. */
function addressFaults(request: {
  'use-dhcp'?: boolean | undefined
  ipaddr?: string | undefined
  netmask?: string | undefined
  gateway?: string | undefined
  dns1?: string | undefined
  dns2?: string | undefined
}): Record<string, Fault | undefined> {
  const { ipaddr = '', netmask = '', gateway = '', dns1 = '', dns2 = '' } = request
  const servers = { dns1: firstNameServer(dns1), dns2: secondNameServer(dns2, { dns1 }) }
  if (request['use-dhcp'] !== false) return servers
  return {
    ipaddr: interfaceAddress(ipaddr, { netmask }),
    netmask: interfaceMask(netmask),
    gateway: interfaceGateway(gateway, { ipaddr, netmask }),
    ...servers
  }
}

/** The IPv4 configuration of an interface. Empty text = none. */
export const InterfaceAddress = z.object({
  ipaddr: z.string().meta(vendor('IPv4 address in use; empty text = none')),
  netmask: z.string().meta(vendor('Subnet mask in use; empty text = none')),
  gateway: z.string().meta(vendor('IPv4 address of the gateway in use; empty text = none')),
  dns1: z.string().meta(vendor('First name server in use; empty text = none')),
  dns2: z.string().meta(vendor('Second name server in use; empty text = none'))
})
export const InterfaceKind = z.enum(INTERFACE_KINDS)
/** `locked`: connected, and in use by a running channel or by NDI. */
export const InterfaceStatus = z.enum(['down', 'disconnected', 'connecting', 'connected', 'locked'])
export const InterfaceUse = z.enum(INTERFACE_USES)
/** The Wi-Fi network that an interface has joined, or that it provides. */
export const WifiState = z.object({
  ssid: z.string(),
  signal: z.number().optional().describe('Percent'),
  hotspot: z.literal(true).optional().describe('The interface provides the network')
})
/** A value that is unknown or does not apply is absent. */
export const NetworkInterface = z.object({
  ...InterfaceAddress.shape,
  iface: z.string().meta(vendor('Name of the interface in Linux, such as `eth0`')),
  kind: InterfaceKind.meta(own('`ethernet`, `wifi`, `usb` or `vlan`')),
  'use-dhcp': z.boolean().optional().meta(vendor('Whether the address comes from DHCP. Absent in the mode `view`')),
  'chosen-dns': z
    .array(z.string())
    .optional()
    .meta(own('With DHCP: the name servers that users chose instead of those from DHCP')),
  ...ADDRESSING_FIELDS,
  ...IPV6_FIELDS,
  mtu: z.int().meta(own('Largest packet (MTU) in bytes')),
  mac: z.string().meta(own('MAC address')),
  link: z.number().meta(vendor('0 down, 1 disconnected, 2 connecting (no address yet), 3 connected')),
  status: InterfaceStatus.meta(
    own('`down`, `disconnected`, `connecting`, `connected`, or `locked`: connected and in use by a channel or by NDI')
  ),
  speed: z.number().optional().meta(own('Speed of the link in Mbps')),
  'usb-speed': z.number().optional().meta(own('Mbps of the USB bus: 12, 480, 5000, 10000. Absent if unknown')),
  rx: z.number().optional().meta(own('Received Mbps, measured between this response and an earlier one')),
  tx: z.number().optional().meta(own('Sent Mbps, measured between this response and an earlier one')),
  'rx-bytes': z.int().meta(own('Received bytes since the interface exists')),
  'tx-bytes': z.int().meta(own('Sent bytes since the interface exists')),
  'is-console': z.literal(true).optional().meta(own('`true`: the request arrived at this interface')),
  parent: z.string().optional().meta(own('Of a VLAN: the interface that carries it')),
  'vlan-id': z.int().optional().meta(own('Of a VLAN: its ID, 1-4094')),
  label: z.string().meta(own('Name that users gave it, up to 32 characters')),
  uses: z.array(InterfaceUse).meta(own('The traffic that users want on it: `console`, `devices`, `ndi`')),
  'used-by': z.array(z.string()).optional().meta(own('Names of running channels that are bound to it, and `NDI`')),
  'hidden-streams': z
    .literal(true)
    .optional()
    .meta(own('`true`: channels that the caller may not see are bound to it, too')),
  unmanaged: z
    .literal(true)
    .optional()
    .meta(own('`true`: NetworkManager does not manage the interface, so the hub cannot change it')),
  wifi: WifiState.optional().meta(
    own(
      'The Wi-Fi network that it has joined, or provides: `ssid`, `signal` (percent), `hotspot` (`true`: it provides the network)'
    )
  )
})
/** What the machine has reached since a change took effect. */
export const NetworkCheck = z.object({
  kind: z.enum(['gateway', 'dns', 'time']).describe('`gateway`, `dns` (name server) or `time` (time server)'),
  address: z.string().describe('Address, or name of a time server'),
  state: z
    .enum(['asking', 'answers', 'silent'])
    .describe('`asking`: not known yet; `answers`; `silent`: it did not answer when it was last asked')
})
/** A change that NetworkManager undoes unless it is confirmed in time. */
export const NetworkChange = z.object({
  iface: z.string(),
  state: z
    .enum(['applying', 'waiting', 'undoing'])
    .describe(
      '`applying`: not yet in effect. `waiting`: in effect, and to be confirmed. `undoing`: the hub or NetworkManager goes back'
    ),
  'seconds-left': z.number().describe('Seconds until NetworkManager undoes it'),
  by: z.string().describe('User who made it'),
  ipaddr: z
    .string()
    .describe('IPv4 or IPv6 address at which the change is to be confirmed; empty while it is unknown, as with DHCP'),
  'over-iface': z.boolean().describe('It must be confirmed over the changed interface, because it was requested there'),
  checks: z
    .array(NetworkCheck)
    .optional()
    .describe('With `waiting`: what the machine could reach since: gateway, name servers, time servers')
})
export const UndoReason = z.enum(UNDO_REASONS)
export const SetNetworkRequest = z.object({
  iface: z.string().meta(vendor('Name of the interface in Linux, such as `eth0`')),
  label: z.string().optional().meta(own('Name that users gave it, up to 32 characters')),
  uses: z.array(InterfaceUse).optional().meta(own('The traffic that users want on it: `console`, `devices`, `ndi`')),
  'use-dhcp': z.boolean().optional().meta(vendor('Whether the address comes from DHCP')),
  ipaddr: z.string().optional().meta(vendor('IPv4 address; without DHCP only')),
  netmask: z.string().optional().meta(vendor('Subnet mask; without DHCP only')),
  gateway: z.string().optional().meta(vendor('IPv4 address of the gateway; empty text = none')),
  dns1: z.string().optional().meta(vendor('First name server; empty text = none')),
  dns2: z.string().optional().meta(vendor('Second name server; empty text = none')),
  ...ADDRESSING_FIELDS,
  ...IPV6_REQUEST,
  mtu: z.int().optional().meta(own('Largest packet (MTU) in bytes; 0 = the default of the link')),
  parent: z.string().optional().meta(own('Of a VLAN: the interface that carries it')),
  'vlan-id': z.int().optional().meta(own('Of a VLAN: its ID, 1-4094')),
  remove: z.boolean().optional().describe('Removes a VLAN'),
  force: z.boolean().optional().describe('Also if channels or NDI use the interface')
})
export const WifiSecurity = z.enum(WIFI_SECURITIES)
export const JoinWifiRequest = z.object({
  iface: z.string(),
  ssid: z.string(),
  security: WifiSecurity.describe('Not `open` for a hotspot'),
  password: z.string().describe('8-63 characters; empty for open networks'),
  hidden: z.boolean().optional().describe('The network does not announce its name'),
  hotspot: z.boolean().optional().describe('Provides the network instead of joining it'),
  force: z.boolean().optional()
})
/** How the last change ended. */
export const NetworkOutcome = z.object({
  iface: z.string(),
  time: z.int().describe('Milliseconds since the epoch'),
  by: z.string(),
  outcome: z.enum(['kept', 'undone']),
  reason: UndoReason.optional().describe('With `undone`'),
  text: z.string().optional().describe('The reason in the language of the request'),
  detail: z.string().optional().describe('With `failed`: the message of NetworkManager'),
  unverified: z
    .literal(true)
    .optional()
    .describe(
      'With `undone`: it is not known whether the previous settings are in effect. NetworkManager does not answer, or the interface does not have its previous addresses'
    ),
  request: z
    .union([SetNetworkRequest.partial(), JoinWifiRequest.partial()])
    .optional()
    .describe('With `undone`: the request, without secrets, so that a client can offer it again')
})
export const NetworkList = z.object({
  access: MachineAccess,
  list: z.array(NetworkInterface),
  change: NetworkChange.optional(),
  last: NetworkOutcome.optional()
})
/** A change that was accepted. */
export const ChangeAccepted = z.object({
  change: NetworkChange.optional().describe('Absent if only label and uses changed, which needs no confirmation'),
  ticket: z
    .string()
    .optional()
    .describe('For the console at the new address (`/follow`); absent for callers with an access token')
})
/** A Wi-Fi network in range. Several access points of one network are one entry, with the strongest signal. */
export const WifiNetwork = z.object({
  ssid: z.string(),
  signal: z.number().describe('Percent'),
  security: z
    .union([WifiSecurity, z.literal('other')])
    .describe('`other`: a kind that the hub cannot join, such as WEP or 802.1X'),
  band: z.number().describe('GHz: 2.4, 5 or 6'),
  joined: z.literal(true).optional().describe('The interface has joined it')
})

export type InterfaceAddress = z.infer<typeof InterfaceAddress>
export type InterfaceKind = z.infer<typeof InterfaceKind>
export type InterfaceStatus = z.infer<typeof InterfaceStatus>
export type InterfaceUse = z.infer<typeof InterfaceUse>
export type WifiState = z.infer<typeof WifiState>
export type NetworkInterface = z.infer<typeof NetworkInterface>
export type NetworkCheck = z.infer<typeof NetworkCheck>
export type NetworkChange = z.infer<typeof NetworkChange>
export type UndoReason = z.infer<typeof UndoReason>
export type SetNetworkRequest = z.infer<typeof SetNetworkRequest>
export type WifiSecurity = z.infer<typeof WifiSecurity>
export type JoinWifiRequest = z.infer<typeof JoinWifiRequest>
export type NetworkOutcome = z.infer<typeof NetworkOutcome>
export type NetworkList = z.infer<typeof NetworkList>
export type ChangeAccepted = z.infer<typeof ChangeAccepted>
export type WifiNetwork = z.infer<typeof WifiNetwork>

/** Errors of a change of an interface. */
const changeErrors = {
  [INVALID_ARG]: 'with `taken` and `taken-by` if another machine (its MAC) or interface has the address',
  [NOT_EXIST]: 'unknown interface',
  [READ_ONLY]: 'with `message` if the hub cannot change the network',
  [WRONG_STATE]:
    'with `message`: the hub listens on the address alone, NetworkManager leaves the interface alone, or the hub did not make what is to be removed',
  [ALREADY_EXISTS]: 'the VLAN exists',
  [IN_PROGRESS]: 'another change waits',
  [OBJECT_BUSY]: 'with `owner-i` and `owner-hidden`'
}

export const networkSchemas = {
  'GET /network/list': {
    summary:
      'Lists the network interfaces of the machine, with a change that waits for its confirmation and how the last one ended.',
    request: emptyRequest,
    response: NetworkList,

    source: 'own',
    examples: [{}]
  },
  'POST /network/set': {
    summary:
      'Changes an interface under a checkpoint of NetworkManager, which undoes the change after 60 s without `confirmNetwork`.',
    operation: ['Set network', '设置网络'],
    request: z
      .object({
        iface,
        label: textRule(interfaceLabel).optional(),
        uses: z.array(z.enum(INTERFACE_USES)).max(INTERFACE_USES.length).optional(),
        'use-dhcp': z
          .boolean()
          .optional()
          .describe(
            'whether the address comes from DHCP; `ipaddr`, `netmask` and `gateway` are then ignored, and `dns1` and `dns2` replace the name servers from DHCP. Without this field the first address does not change'
          ),
        ipaddr: text.optional(),
        netmask: text.optional(),
        gateway: text.optional(),
        dns1: text.optional(),
        dns2: text.optional(),
        ...ADDRESSING_REQUEST,
        ...IPV6_REQUEST,
        mtu: numberRule(mtu).optional().describe('576-9216, with IPv6 at least 1280; 0: default'),
        parent: iface.optional().describe('Makes a VLAN on this interface. `iface` is then its name'),
        'vlan-id': numberRule(vlanId).optional(),
        remove: z.boolean().optional().describe('Removes a VLAN'),
        force: z.boolean().optional().describe('Also if channels or NDI use the interface'),
        ...dryRun
      })
      .superRefine((request, context) => {
        for (const [field, fault] of Object.entries({ ...addressFaults(request), ...ipv6Faults(request) }))
          if (fault) context.addIssue({ ...faultIssue(fault), path: [field] })
        if (request.parent !== undefined && request['vlan-id'] === undefined)
          context.addIssue({ ...faultIssue({ name: 'required' }), path: ['vlan-id'] })
      }),
    requestNote:
      '`iface`, `use-dhcp`, `ipaddr`, `netmask`, `gateway`, `dns1`, `dns2`, `further-addresses`, `routes`, `ipv6-method`, `ipv6-addresses`, `ipv6-gateway`, `ipv6-dns`, `ipv6-routes`, `mtu` (576-9216, with IPv6 at least 1280; 0: default), `label`, `uses`; `parent` and `vlan-id` make a VLAN with the name `iface`, `remove` removes it; `force`. Without `use-dhcp` the IPv4 address stays, without `ipv6-method` IPv6; `label` and `uses` alone change at once and in both modes',
    response: ChangeAccepted,
    errors: changeErrors,
    source: 'vendor: fields of the address; own: the others',
    examples: [
      { iface: 'eth0' },
      {
        iface: 'eth0.20',
        label: 'x'.repeat(32),
        uses: ['console', 'devices', 'ndi'],
        'use-dhcp': false,
        ipaddr: '192.168.1.7',
        netmask: '255.255.255.0',
        gateway: '192.168.1.1',
        dns1: '9.9.9.9',
        dns2: '1.1.1.1',
        mtu: 9216,
        parent: 'eth0',
        'vlan-id': 4094,
        force: true
      },
      { iface: 'eth0', mtu: 1400 },
      { iface: 'eth0', 'further-addresses': ['192.168.2.7/24'], routes: [{ to: '10.0.0.0/8', via: '192.168.2.1' }] },
      {
        iface: 'eth0',
        'ipv6-method': 'static',
        'ipv6-addresses': ['2001:db8:7::7/64'],
        'ipv6-gateway': 'fe80::1',
        'ipv6-dns': ['2001:db8:7::53'],
        'ipv6-routes': [{ to: '2001:db8:9::/48', via: '2001:db8:7::9' }]
      },
      { iface: 'eth0', 'ipv6-method': 'off' },
      { iface: 'eth0.20', remove: true }
    ]
  },
  'POST /network/confirm': {
    summary:
      'Keeps the change, or goes back. To keep it, the request must arrive over a connection that was opened after the change, and at the changed interface if the change was requested there; else 38.',
    operation: ['Keep or undo network change', '保留或撤销网络更改'],
    request: z.object({ keep: z.boolean().optional().describe('default `true`; `false`: go back') }),
    errors: {
      [NOT_EXIST]: 'no change waits',
      [WRONG_STATE]: 'not from a new connection, see below',
      [IN_PROGRESS]: 'with `message`: not yet in effect, or being undone'
    },
    source: 'own',
    examples: [{}, { keep: false }]
  },
  'POST /network/scan': {
    summary: 'Looks for Wi-Fi networks in range, for a few seconds. Strongest first.',
    operation: ['Look for Wi-Fi networks', '搜索 Wi-Fi 网络'],
    request: z.object({ iface }),
    response: z.object({
      list: z.array(WifiNetwork)
    }),
    responseNote:
      '`list` of `ssid`, `signal` (percent), `security` (`open`, `wpa2`, `wpa3`, `other`), `band` (GHz), `joined`, strongest first',
    errors: { [NOT_EXIST]: '', [READ_ONLY]: '', [WRONG_STATE]: '' },
    source: 'own',
    examples: [{ iface: 'wlan0' }]
  },
  'POST /network/join': {
    summary: 'Joins a Wi-Fi network, or provides one, under a checkpoint as `setNetwork`.',
    operation: ['Join Wi-Fi network', '加入 Wi-Fi 网络'],
    request: z
      .object({
        iface,
        ssid: textRule(ssid),
        security: z.enum(WIFI_SECURITIES).describe('Not `open` for a hotspot'),
        password: z.string().max(128).describe('8-63 characters; empty for open networks'),
        hidden: z.boolean().optional().describe('The network does not announce its name'),
        hotspot: z.boolean().optional().describe('provides the network, which must not be `open`'),
        force: z.boolean().optional(),
        ...dryRun
      })
      .superRefine(({ security, password, hotspot }, context) => {
        const fault = security === 'open' ? undefined : wifiPassword(password)
        if (fault) context.addIssue({ ...faultIssue(fault), path: ['password'] })
        const securityFault = wifiSecurity(security, { hotspot })
        if (securityFault) context.addIssue({ ...faultIssue(securityFault), path: ['security'] })
      }),
    response: ChangeAccepted,
    responseNote: 'as `set`',
    errors: changeErrors,
    source: 'own',
    examples: [
      { iface: 'wlan0', ssid: 'Studio', security: 'open', password: '' },
      {
        iface: 'wlan0',
        ssid: 'x'.repeat(32),
        security: 'wpa3',
        password: 'x'.repeat(63),
        hidden: true,
        hotspot: true,
        force: true
      }
    ]
  }
} satisfies CallSchemas
