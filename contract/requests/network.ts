// Request schemas of the calls for the network of the machine.
import * as z from 'zod'
import {
  confirmNetwork,
  INTERFACE_USES,
  joinWifi,
  listNetwork,
  scanWifi,
  setNetwork,
  WIFI_SECURITIES
} from '../machine/network.ts'
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
import { defineSchema, emptyRequest, faultIssue, text, textRule } from './schema.ts'

/** Name of an interface in Linux: at most 15 bytes, no slash, no space. */
const iface = z.string().regex(/^[\w.:@-]{1,15}$/)

/** A whole number that must satisfy a rule for the text of a form field. */
const numberRule = (rule: (value: string) => Fault | undefined) =>
  z.int().superRefine((value, context) => {
    const fault = rule(String(value))
    if (fault) context.addIssue(faultIssue(fault))
  })

defineSchema(listNetwork, emptyRequest)
defineSchema(confirmNetwork, z.object({ keep: z.boolean().optional() }))
defineSchema(scanWifi, z.object({ iface }))

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

defineSchema(
  setNetwork,
  z
    .object({
      iface,
      label: textRule(interfaceLabel).optional(),
      uses: z.array(z.enum(INTERFACE_USES)).max(INTERFACE_USES.length).optional(),
      'use-dhcp': z.boolean().optional(),
      ipaddr: text.optional(),
      netmask: text.optional(),
      gateway: text.optional(),
      dns1: text.optional(),
      dns2: text.optional(),
      mtu: numberRule(mtu).optional(),
      parent: iface.optional(),
      'vlan-id': numberRule(vlanId).optional(),
      remove: z.boolean().optional(),
      force: z.boolean().optional()
    })
    .superRefine((request, context) => {
      for (const [field, fault] of Object.entries(addressFaults(request)))
        if (fault) context.addIssue({ ...faultIssue(fault), path: [field] })
      if (request.parent !== undefined && request['vlan-id'] === undefined)
        context.addIssue({ ...faultIssue({ name: 'required' }), path: ['vlan-id'] })
    })
)

defineSchema(
  joinWifi,
  z
    .object({
      iface,
      ssid: textRule(ssid),
      security: z.enum(WIFI_SECURITIES),
      password: z.string().max(128),
      hidden: z.boolean().optional(),
      hotspot: z.boolean().optional(),
      force: z.boolean().optional()
    })
    .superRefine(({ security, password, hotspot }, context) => {
      const fault = security === 'open' ? undefined : wifiPassword(password)
      if (fault) context.addIssue({ ...faultIssue(fault), path: ['password'] })
      const securityFault = wifiSecurity(security, { hotspot })
      if (securityFault) context.addIssue({ ...faultIssue(securityFault), path: ['security'] })
    })
)
