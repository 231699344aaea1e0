import { NDI_EDIT } from '../../../contract/access/permissions.ts'
import { NDI_DISCOVERY_PORT } from '../../../contract/limits.ts'
import type { NdiDiscoverySettings, NdiServerAddress } from '../../../contract/ndi/settings.ts'
import { hostWithPort, ndiGroups } from '../../../contract/rules/ndi.ts'
import { ndiMachineName } from '../../../contract/rules/ndi-names.ts'
import { hostList } from '../../../contract/rules/network.ts'
import { optional, type RuleSet } from '../../../contract/rules/rules.ts'
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
  'extra-ips': string
  'send-groups': string
  'recv-groups': string
  'machine-name': string
  ifaces: string
}

const splitList = (text: string) => text.split(',').filter(Boolean)
/** The text without the spaces that users type after commas. */
const joined = (text: string) => text.replace(/\s*,\s*/g, ',').trim()

const listOfHosts = hostList({ allowEmpty: true })
const groups = optional(ndiGroups)

/** The list of interfaces is left to the hub. */
const RULES: RuleSet<Values> = {
  first: (value, { enable }) => (value || enable ? hostWithPort(value) : undefined),
  second: optional(hostWithPort),
  'extra-ips': (value) => listOfHosts(joined(value)),
  'send-groups': (value) => groups(joined(value)),
  'recv-groups': (value) => groups(joined(value)),
  'machine-name': ndiMachineName
}

const FIELD_OF_WIRE_NAME: Readonly<Record<string, keyof Values>> = {
  'ndi-discovery.servers': 'first',
  'ndi-discovery.servers.address': 'first',
  'ndi-discovery.servers.port': 'first'
}

const formatServer = (server: NdiServerAddress | undefined) =>
  server ? server.address + (server.port === NDI_DISCOVERY_PORT ? '' : `:${server.port}`) : ''

function parseServer(text: string): NdiServerAddress {
  const [address = '', port = String(NDI_DISCOVERY_PORT)] = text.split(':')
  return { address, port: Number(port) }
}

const toValues = ({ servers, ...settings }: NdiDiscoverySettings): Values => ({
  ...settings,
  first: formatServer(servers[0]),
  second: formatServer(servers[1]),
  'extra-ips': settings['extra-ips'].join(', '),
  ifaces: settings.ifaces.join(', ')
})

const toSettings = ({ first, second, ...values }: Values): NdiDiscoverySettings => ({
  ...values,
  servers: [first, second].filter(Boolean).map(parseServer),
  'send-groups': joined(values['send-groups']),
  'recv-groups': joined(values['recv-groups']),
  'extra-ips': splitList(joined(values['extra-ips'])),
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
      <TextField {...form.field('extra-ips')} label={t(TEXT.extraIps)} hint={t(TEXT.extraIpsHint)} />
      <TextField {...form.field('send-groups')} label={t(TEXT.sendGroups)} hint={t(TEXT.groupsHint)} />
      <TextField {...form.field('recv-groups')} label={t(TEXT.recvGroups)} hint={t(TEXT.groupsHint)} />
      <TextField {...form.field('machine-name')} label={t(TEXT.machine)} hint={t(TEXT.machineHint)} />
      <TextField {...form.field('ifaces')} label={t(TEXT.ifaces)} hint={t(TEXT.ifacesHint)} />
    </SettingsForm>
  )
}
