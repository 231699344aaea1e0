// The part of an interface's dialog and card that is about IPv6.
import type { NetworkInterface, SetNetworkRequest } from '../../../contract/machine/network.ts'
import { formatRoutes, parseAddresses, parseRoutes } from '../../../contract/rules/addressing.ts'
import { ipv6Addresses, ipv6Gateway, ipv6NameServers, ipv6Routes } from '../../../contract/rules/ipv6-addressing.ts'
import type { Fault, RuleSet } from '../../../contract/rules/rules.ts'
import { SelectField } from '../../form/select-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import type { Form } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { TEXT } from './text.ts'

type Method = NonNullable<NetworkInterface['ipv6-method']>

/** Named as on the wire. */
export interface Ipv6Values {
  /** Empty: the hub does not set IPv6. */
  'ipv6-method': Method | ''
  /** Lists with commas. */
  'ipv6-addresses': string
  'ipv6-gateway': string
  'ipv6-dns': string
  'ipv6-routes': string
}

const isStatic = ({ 'ipv6-method': method }: Ipv6Values) => method === 'static'
const isSet = (values: Ipv6Values) => values['ipv6-method'] === 'auto' || isStatic(values)

/** Rules that hold only while the field is shown. */
const whenSet =
  (rule: (value: string, all: Ipv6Values) => Fault | undefined) =>
  (value: string, all: Ipv6Values): Fault | undefined =>
    isSet(all) ? rule(value, all) : undefined

const networksOf = (values: Ipv6Values) => (isStatic(values) ? parseAddresses(values['ipv6-addresses']) : undefined)

export const IPV6_RULES: RuleSet<Ipv6Values> = {
  'ipv6-addresses': whenSet((value, all) => ipv6Addresses(parseAddresses(value), all['ipv6-method'])),
  'ipv6-gateway': (value, all) => (isStatic(all) ? ipv6Gateway(value, networksOf(all) ?? []) : undefined),
  'ipv6-dns': whenSet((value) => ipv6NameServers(parseAddresses(value))),
  'ipv6-routes': whenSet((value, all) => ipv6Routes(parseRoutes(value), networksOf(all)))
}

/** @param wanted values of an earlier attempt, instead of those that users have chosen */
export function initialIpv6(current: Partial<NetworkInterface>, wanted: Partial<SetNetworkRequest> = {}): Ipv6Values {
  const chosen = {
    'ipv6-addresses': current['ipv6-chosen-addresses'],
    'ipv6-gateway': current['ipv6-chosen-gateway'],
    'ipv6-dns': current['ipv6-chosen-dns'],
    'ipv6-routes': current['ipv6-routes']
  }
  const shown = wanted['ipv6-method'] ? wanted : chosen
  return {
    'ipv6-method': wanted['ipv6-method'] ?? current['ipv6-method'] ?? '',
    'ipv6-addresses': (shown['ipv6-addresses'] ?? []).join(', '),
    'ipv6-gateway': shown['ipv6-gateway'] ?? '',
    'ipv6-dns': (shown['ipv6-dns'] ?? []).join(', '),
    'ipv6-routes': formatRoutes(shown['ipv6-routes'] ?? [])
  }
}

/** The IPv6 configuration as a whole, if a part of it differs from that with which the dialog has opened. */
export function ipv6Of(values: Ipv6Values, before: Ipv6Values): Partial<SetNetworkRequest> {
  const { 'ipv6-method': method, 'ipv6-gateway': gateway } = values
  const names = ['ipv6-method', 'ipv6-addresses', 'ipv6-gateway', 'ipv6-dns', 'ipv6-routes'] as const
  if (method === '' || method === 'other' || names.every((name) => values[name] === before[name])) return {}
  if (method === 'off') return { 'ipv6-method': method }
  return {
    'ipv6-method': method,
    'ipv6-addresses': parseAddresses(values['ipv6-addresses']),
    ...(method === 'static' && { 'ipv6-gateway': gateway }),
    'ipv6-dns': parseAddresses(values['ipv6-dns']),
    'ipv6-routes': parseRoutes(values['ipv6-routes'])
  }
}

const METHOD_TEXT: Readonly<Record<Method, (typeof TEXT)[keyof typeof TEXT]>> = {
  auto: TEXT.automatic,
  static: TEXT.manual,
  off: TEXT.off,
  other: TEXT.setElsewhere
}

interface Ipv6FieldsProps<Values extends Ipv6Values> {
  form: Form<Values>
  /** Absent for a new interface. */
  current?: NetworkInterface | undefined
}

/** The automatic addresses in use, with which a manual configuration begins. */
function automaticValues(current: NetworkInterface | undefined): Partial<Ipv6Values> {
  const addresses = (current?.['ipv6-addresses'] ?? []).filter((each) => !/^fe[89ab]/i.test(each))
  return {
    'ipv6-addresses': addresses.slice(0, 1).join(),
    'ipv6-gateway': current?.['ipv6-gateway'] ?? '',
    'ipv6-dns': (current?.['ipv6-dns'] ?? []).join(', ')
  }
}

export function Ipv6Fields<Values extends Ipv6Values>({ form, current }: Ipv6FieldsProps<Values>) {
  const { 'ipv6-method': method, 'ipv6-addresses': addresses } = form.values
  if (method === '') return null
  const methods = (['auto', 'static', 'off'] as const).map((value) => ({ value, label: t(METHOD_TEXT[value]) }))
  const isOther = current?.['ipv6-method'] === 'other'
  const setMethod = (value: Method | '') => {
    const automatic = value === 'static' && addresses === '' ? automaticValues(current) : {}
    form.setValues({ 'ipv6-method': value, ...automatic } as Partial<Values>)
  }
  const isAuto = method === 'auto'
  return (
    <>
      <SelectField
        {...form.field('ipv6-method')}
        onValueChange={setMethod}
        label={t(TEXT.ipv6)}
        options={[...methods, ...(isOther ? [{ value: 'other' as const, label: t(TEXT.setElsewhere) }] : [])]}
      />
      {isSet(form.values) && (
        <>
          <TextField
            {...form.field('ipv6-addresses')}
            label={t(isAuto ? TEXT.ipv6Further : TEXT.ipv6Addresses)}
            hint={t(TEXT.ipv6AddressesHint)}
          />
          {!isAuto && <TextField {...form.field('ipv6-gateway')} label={t(TEXT.ipv6Gateway)} />}
          <TextField
            {...form.field('ipv6-dns')}
            label={t(TEXT.ipv6Dns)}
            {...(isAuto && { hint: t(TEXT.ipv6DnsHint) })}
          />
          <TextField {...form.field('ipv6-routes')} label={t(TEXT.ipv6Routes)} hint={t(TEXT.ipv6RoutesHint)} />
        </>
      )}
    </>
  )
}

/** Rows of the card of an interface. */
export function ipv6Rows(current: NetworkInterface): [label: string, text: string][] {
  const { 'ipv6-method': method, 'ipv6-addresses': addresses = [], 'ipv6-dns': servers = [] } = current
  return [
    [t(TEXT.ipv6), method ? t(METHOD_TEXT[method]) : ''],
    [t(TEXT.ipv6Addresses), addresses.join(', ')],
    [t(TEXT.ipv6Gateway), current['ipv6-gateway'] ?? ''],
    [t(TEXT.ipv6Dns), servers.join(', ')],
    [t(TEXT.ipv6Routes), formatRoutes(current['ipv6-routes'] ?? [])]
  ]
}
