import { NDI_EDIT } from '../../../contract/access/permissions.ts'
import { NDI_DISCOVERY_PORT } from '../../../contract/limits.ts'
import type { NdiDiscoverySettings, NdiServerAddress } from '../../../contract/ndi/settings.ts'
import { hostWithPort, ndiGroups } from '../../../contract/rules/ndi.ts'
import { ndiMachineName } from '../../../contract/rules/ndi-names.ts'
import { hostList, networkInterface } from '../../../contract/rules/network.ts'
import { type Fault, optional, type RuleSet } from '../../../contract/rules/rules.ts'
import { SwitchField } from '../../form/switch-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { SettingsForm } from '../../parts/settings/settings-form.tsx'
import { t } from '../../text/language.ts'
import { saveNdiSettings } from './store.ts'
import { TEXT } from './text.ts'

interface Values {
  enable: boolean
  first: string
  second: string
  extraIps: string
  sendGroups: string
  recvGroups: string
  machine: string
  ifaces: string
}

const splitList = (text: string) => text.split(',').filter(Boolean)
/** The text without the spaces that users type after commas. */
const joined = (text: string) => text.replace(/\s*,\s*/g, ',').trim()

const interfaceList = (value: string): Fault | undefined =>
  splitList(joined(value))
    .map(networkInterface)
    .find((fault) => fault !== undefined)

const listOfHosts = hostList({ allowEmpty: true })
const groups = optional(ndiGroups)

const RULES: RuleSet<Values> = {
  first: (value, { enable }) => (value || enable ? hostWithPort(value) : undefined),
  second: optional(hostWithPort),
  extraIps: (value) => listOfHosts(joined(value)),
  sendGroups: (value) => groups(joined(value)),
  recvGroups: (value) => groups(joined(value)),
  machine: ndiMachineName,
  ifaces: interfaceList
}

const FIELD_OF_WIRE_NAME: Readonly<Record<string, keyof Values>> = {
  'ndi-discovery.servers': 'first',
  'ndi-discovery.servers.address': 'first',
  'ndi-discovery.servers.port': 'first',
  'ndi-discovery.extra-ips': 'extraIps',
  'ndi-discovery.send-groups': 'sendGroups',
  'ndi-discovery.recv-groups': 'recvGroups',
  'ndi-discovery.machine-name': 'machine',
  'ndi-discovery.ifaces': 'ifaces'
}

const formatServer = (server: NdiServerAddress | undefined) =>
  server ? server.address + (server.port === NDI_DISCOVERY_PORT ? '' : `:${server.port}`) : ''

function parseServer(text: string): NdiServerAddress {
  const [address = '', port = String(NDI_DISCOVERY_PORT)] = text.split(':')
  return { address, port: Number(port) }
}

const toValues = ({ enable, servers, ...rest }: NdiDiscoverySettings): Values => ({
  enable,
  first: formatServer(servers[0]),
  second: formatServer(servers[1]),
  extraIps: rest['extra-ips'].join(', '),
  sendGroups: rest['send-groups'],
  recvGroups: rest['recv-groups'],
  machine: rest['machine-name'],
  ifaces: rest.ifaces.join(', ')
})

const toSettings = (values: Values): NdiDiscoverySettings => ({
  enable: values.enable,
  servers: [values.first, values.second].filter(Boolean).map(parseServer),
  'send-groups': joined(values.sendGroups),
  'recv-groups': joined(values.recvGroups),
  'extra-ips': splitList(joined(values.extraIps)),
  'machine-name': values.machine,
  ifaces: splitList(joined(values.ifaces))
})

/** Edits how the hub announces and finds NDI sources. */
export function DiscoveryForm({ settings }: { settings: NdiDiscoverySettings }) {
  const initial = toValues(settings)
  const form = useForm<Values>(
    RULES,
    initial,
    (values, options) => saveNdiSettings({ 'ndi-discovery': toSettings(values) }, options),
    { fieldOfWireName: FIELD_OF_WIRE_NAME }
  )
  return (
    <SettingsForm title={t(TEXT.discovery)} form={form} saved={initial} access={NDI_EDIT}>
      <p className="muted">{t(TEXT.newProcesses)}</p>
      <SwitchField {...form.field('enable')} label={t(TEXT.useServers)} hint={t(TEXT.useServersHint)} />
      <TextField {...form.field('first')} label={t(TEXT.server, 1)} hint={t(TEXT.serverHint)} />
      <TextField {...form.field('second')} label={t(TEXT.server, 2)} />
      <TextField {...form.field('extraIps')} label={t(TEXT.extraIps)} hint={t(TEXT.extraIpsHint)} />
      <TextField {...form.field('sendGroups')} label={t(TEXT.sendGroups)} hint={t(TEXT.groupsHint)} />
      <TextField {...form.field('recvGroups')} label={t(TEXT.recvGroups)} hint={t(TEXT.groupsHint)} />
      <TextField {...form.field('machine')} label={t(TEXT.machine)} hint={t(TEXT.machineHint)} />
      <TextField {...form.field('ifaces')} label={t(TEXT.ifaces)} hint={t(TEXT.ifacesHint)} />
    </SettingsForm>
  )
}
