// Dialog of an interface: its name, its uses and its address. Also adds a VLAN.
import { prefixLength } from '../../../contract/ipv4.ts'
import {
  INTERFACE_USES,
  type InterfaceUse,
  type NetworkInterface,
  type SetNetworkRequest
} from '../../../contract/machine/network.ts'
import {
  formatRoutes,
  furtherAddresses,
  parseAddresses,
  parseRoutes,
  staticRoutes
} from '../../../contract/rules/addressing.ts'
import {
  firstNameServer,
  interfaceAddress,
  interfaceGateway,
  interfaceLabel,
  interfaceMask,
  interfaceMtu,
  secondNameServer,
  vlanId
} from '../../../contract/rules/interface.ts'
import { ipv4 } from '../../../contract/rules/network.ts'
import type { Fault, RuleSet } from '../../../contract/rules/rules.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { NumberField, TextField } from '../../form/text-field.tsx'
import { type Form, useForm } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { IPV6_RULES, Ipv6Fields, type Ipv6Values, initialIpv6, ipv6Of } from './ipv6-fields.tsx'
import { saveInterface } from './store.ts'
import { TEXT, USES } from './text.ts'

/** Named as on the wire. */
interface Values extends Ipv6Values {
  label: string
  console: boolean
  devices: boolean
  ndi: boolean
  'use-dhcp': boolean
  ipaddr: string
  netmask: string
  gateway: string
  dns1: string
  dns2: string
  mtu: string
  /** Lists with commas. */
  'further-addresses': string
  routes: string
  /** Of a new VLAN. */
  parent: string
  'vlan-id': string
}

/** Rules that hold only for a manual address. */
const whenManual =
  (rule: (value: string, all: Values) => Fault | undefined) =>
  (value: string, all: Values): Fault | undefined =>
    all['use-dhcp'] ? undefined : rule(value, all)

const ADDRESS_RULES: RuleSet<Values> = {
  label: interfaceLabel,
  ipaddr: whenManual(interfaceAddress),
  netmask: whenManual(interfaceMask),
  gateway: whenManual(interfaceGateway),
  dns1: firstNameServer,
  dns2: secondNameServer,
  'further-addresses': (value, { 'use-dhcp': isDhcp, ipaddr }) =>
    furtherAddresses(parseAddresses(value), isDhcp ? '' : ipaddr),
  routes: (value, all) => staticRoutes(parseRoutes(value), networksOf(all)),
  ...IPV6_RULES,
  mtu: (value, all) => interfaceMtu(value, all['ipv6-method'])
}

/** The networks of an interface; undefined while DHCP gives its address, or the address is not valid. */
function networksOf({ ipaddr, netmask, ...values }: Values): string[] | undefined {
  if (values['use-dhcp'] || ipv4(ipaddr) || interfaceMask(netmask)) return undefined
  return [`${ipaddr}/${prefixLength(netmask)}`, ...parseAddresses(values['further-addresses'])]
}

type AddressFields = Partial<Pick<NetworkInterface, 'ipaddr' | 'netmask' | 'gateway' | 'dns1' | 'dns2' | 'use-dhcp'>>

/** @param wanted values of an earlier attempt, instead of those in use */
function initialValues(current: Partial<NetworkInterface>, wanted: Partial<SetNetworkRequest> = {}): Values {
  const address: AddressFields = { ...current, ...wanted }
  const isDhcp = address['use-dhcp'] ?? false
  // With DHCP, the name servers in use are those of DHCP unless users chose others.
  const [dns1 = '', dns2 = ''] =
    isDhcp && wanted['use-dhcp'] === undefined ? (current['chosen-dns'] ?? []) : [address.dns1, address.dns2]
  const uses: readonly InterfaceUse[] = current.uses ?? []
  return {
    label: current.label ?? '',
    console: uses.includes('console'),
    devices: uses.includes('devices'),
    ndi: uses.includes('ndi'),
    'use-dhcp': isDhcp,
    ipaddr: address.ipaddr ?? '',
    netmask: address.netmask || '255.255.255.0',
    gateway: address.gateway ?? '',
    dns1,
    dns2,
    'further-addresses': (wanted['further-addresses'] ?? current['further-addresses'] ?? []).join(', '),
    routes: formatRoutes(wanted.routes ?? current.routes ?? []),
    ...initialIpv6(current, wanted),
    mtu: String(wanted.mtu ?? current.mtu ?? 0),
    parent: wanted.parent ?? '',
    'vlan-id': String(wanted['vlan-id'] ?? '')
  }
}

/**
 * The name and the uses, each if it differs from that with which the dialog has opened: another user may have set the
 * other one meanwhile.
 */
const noteOf = (values: Values, before: Values) => ({
  ...(values.label !== before.label && { label: values.label }),
  ...(INTERFACE_USES.some((use) => values[use] !== before[use]) && {
    uses: INTERFACE_USES.filter((use) => values[use])
  })
})

const addressOf = ({ 'use-dhcp': isDhcp, ipaddr, netmask, gateway, dns1, dns2 }: Values) => ({
  'use-dhcp': isDhcp,
  ...(!isDhcp && { ipaddr, netmask, gateway }),
  dns1,
  dns2
})

/** The lists that differ from those with which the dialog has opened. */
const addressingOf = (values: Values, before: Values) => ({
  ...(values['further-addresses'] !== before['further-addresses'] && {
    'further-addresses': parseAddresses(values['further-addresses'])
  }),
  ...(values.routes !== before.routes && { routes: parseRoutes(values.routes) })
})

/** Whether the address differs from that with which the dialog has opened. */
const isChanged = (values: Values, before: Values) =>
  (['use-dhcp', 'ipaddr', 'netmask', 'gateway', 'dns1', 'dns2'] as const).some((name) => values[name] !== before[name])

interface EditDialogProps {
  current: NetworkInterface
  /** Values of an attempt that was undone. */
  wanted?: Partial<SetNetworkRequest>
  onClose: () => void
}

export function EditInterfaceDialog({ current, wanted, onClose }: EditDialogProps) {
  const { iface } = current
  const before = initialValues(current)
  const form = useForm<Values>(
    ADDRESS_RULES,
    initialValues(current, wanted),
    (values, options) => {
      const size = values.mtu !== before.mtu ? { mtu: Number(values.mtu) } : {}
      const address = isChanged(values, before) ? addressOf(values) : {}
      return saveInterface(
        {
          iface,
          ...noteOf(values, before),
          ...address,
          ...addressingOf(values, before),
          ...ipv6Of(values, before),
          ...size
        },
        options
      )
    },
    { onSuccess: onClose }
  )
  return (
    <FormDialog form={form} title={t(TEXT.edit, iface)} onClose={onClose}>
      <TextField {...form.field('label')} label={t(TEXT.name)} autoFocus />
      <fieldset>
        <legend>{t(TEXT.uses)}</legend>
        {INTERFACE_USES.map((use) => (
          <SwitchField key={use} {...form.field(use)} label={t(USES[use])} checkbox />
        ))}
      </fieldset>
      <AddressFields form={form} current={current} />
    </FormDialog>
  )
}

interface AddressFieldsProps {
  form: Form<Values>
  /** Absent for a new interface. */
  current?: NetworkInterface
}

function AddressFields({ form, current }: AddressFieldsProps) {
  const { 'use-dhcp': isDhcp, 'ipv6-method': method, dns1 } = form.values
  // Without DHCP, the name servers that it has given stay in use, as the address does.
  const given = current?.['use-dhcp'] && !current['chosen-dns']?.length ? current : undefined
  const setDhcp = (isOn: boolean) => {
    const isUnedited = given && dns1 === (isOn ? given.dns1 : '')
    const servers = isOn ? { dns1: '', dns2: '' } : { dns1: given?.dns1 ?? '', dns2: given?.dns2 ?? '' }
    form.setValues({ 'use-dhcp': isOn, ...(isUnedited && servers) })
  }
  return (
    <>
      <SwitchField {...form.field('use-dhcp')} onValueChange={setDhcp} label={t(TEXT.useDhcp)} />
      {!isDhcp && (
        <>
          <TextField {...form.field('ipaddr')} label={t(TEXT.address)} />
          <TextField {...form.field('netmask')} label={t(TEXT.mask)} />
          <TextField {...form.field('gateway')} label={t(TEXT.gateway)} />
        </>
      )}
      <TextField {...form.field('dns1')} label={t(TEXT.dns1)} {...(isDhcp && { hint: t(TEXT.dnsHint) })} />
      <TextField {...form.field('dns2')} label={t(TEXT.dns2)} />
      <TextField {...form.field('further-addresses')} label={t(TEXT.further)} hint={t(TEXT.furtherHint)} />
      <TextField {...form.field('routes')} label={t(TEXT.routes)} hint={t(TEXT.routesHint)} />
      <Ipv6Fields form={form} current={current} />
      <NumberField
        {...form.field('mtu')}
        label={t(TEXT.mtu)}
        hint={t(method === '' || method === 'off' ? TEXT.mtuHint : TEXT.mtuIpv6Hint)}
      />
      <p className="muted">{t(TEXT.safe)}</p>
    </>
  )
}

interface VlanDialogProps {
  /** Names of the interfaces that can carry a VLAN. */
  parents: readonly string[]
  wanted?: Partial<SetNetworkRequest>
  onClose: () => void
}

export function AddVlanDialog({ parents, wanted, onClose }: VlanDialogProps) {
  const initial = { 'use-dhcp': true, 'ipv6-method': 'auto' } as const
  const form = useForm<Values>(
    { ...ADDRESS_RULES, 'vlan-id': vlanId },
    { ...initialValues(initial, wanted), parent: wanted?.parent ?? parents[0] ?? '' },
    (values, options) => {
      const { parent, 'vlan-id': id } = values
      const size = Number(values.mtu) > 0 ? { mtu: Number(values.mtu) } : {}
      const lists = addressingOf(values, { ...values, 'further-addresses': '', routes: '' })
      const ids = { iface: `${parent}.${id}`, parent, 'vlan-id': Number(id) }
      const vlan = { ...ids, ...addressOf(values), ...lists, ...ipv6Of(values, initialIpv6(initial)), ...size }
      return saveInterface(vlan, options)
    },
    { fieldOfWireName: { iface: 'vlan-id' }, onSuccess: onClose }
  )
  return (
    <FormDialog form={form} title={t(TEXT.addVlan)} submitLabel={t(TEXT.addVlan)} onClose={onClose}>
      <SelectField
        {...form.field('parent')}
        label={t(TEXT.vlanParent)}
        options={parents.map((value) => ({ value, label: value }))}
      />
      <NumberField {...form.field('vlan-id')} label={t(TEXT.vlanId)} />
      <AddressFields form={form} />
    </FormDialog>
  )
}
