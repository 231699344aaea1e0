// Schemas of settings.
import * as z from 'zod'
import type { CallSchemas } from './call.schema.ts'
import { INVALID_ARG, NOT_PERMITTED, OBJECT_BUSY, PORT_OCCUPIED, REAUTHENTICATION_REQUIRED } from './codes.ts'
import { emptyRequest } from './fields.schema.ts'
import { HUB_SETTINGS, type HubSetting, hubSettingRequests, hubSettingResponses } from './hub-settings.schema.ts'
import { HubName } from './machine/name.schema.ts'
import { NdiServerSettings, NdiServerState } from './ndi/settings.schema.ts'
import { dryRun } from './off-air.schema.ts'
import { SETTING_RIGHTS, type SettingRights } from './settings.ts'
import { webPart } from './system.schema.ts'
import { TrialStart, WebSettings } from './web/settings.schema.ts'

export const Settings = z.object({
  ...hubSettingResponses,
  'hub-ndi-server': z
    .object({ ...NdiServerSettings.shape, state: NdiServerState.optional() })
    .describe('The discovery server of the hub. `state` is only in responses; absent while the engine is away')
})
export type Settings = z.infer<typeof Settings>
export type SrtSettings = Settings['srt']
export type SyslogTarget = Settings['syslog']

/** Names as a list in the document. */
const namesOf = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

/** Parts that the vendor's documentation does not have. */
const OWN_PARTS = Object.entries<HubSetting>(HUB_SETTINGS).flatMap(([name, { own }]) => (own ? [name] : []))

/** Parts and members that only the Admin group sets, with a proof of the password. */
const PROTECTED_NAMES = namesOf(
  Object.entries<SettingRights>(SETTING_RIGHTS).flatMap(([name, { reauthenticate }]) => (reauthenticate ? [name] : []))
)

export const settingsSchemas = {
  'GET /settings/get': {
    summary:
      'Returns the settings of the hub. Returns the parts that the caller may read. `setDeviceName` sets the part `name`.',
    request: emptyRequest,
    response: z.object({
      settings: z.object({ ...Settings.partial().shape, web: WebSettings.optional(), name: HubName.optional() })
    }),
    responseNote:
      '`settings` with the parts that the caller may read: those about [NDI](#ndi-settings) with NDI_VIEW, all others with SYSTEM_CONFIG_VIEW',

    source: 'vendor; own: `settings` as a wrapper',
    examples: [{}]
  },
  'POST /settings/set': {
    summary:
      'Changes the settings of the hub. Sets exactly one part per call. What protects the hub takes the Admin group, a recent proof of the password (1100), and no access token (31). `web`: 38 with `fault` for a combination that would make the console unreachable, -102 and -103 for a certificate and a key that cannot be used. With a new port, `trial`.',
    operation: ['Change settings', '更改设置'],
    request: z
      .object({
        ...hubSettingRequests,
        web: webPart.optional(),
        force: z.boolean().optional(),
        ...dryRun
      })
      .refine(
        ({ force: _, 'dry-run': __, ...parts }) =>
          Object.values(parts).filter((part) => part !== undefined).length === 1
      ),
    requestNote: `exactly one of ${namesOf([...Object.keys(HUB_SETTINGS), 'web'])}; \`force\`, \`dry-run\``,
    response: z.object({
      trial: TrialStart.optional()
    }),
    responseNote: '`trial` with a new port',
    errors: {
      [INVALID_ARG]: '',
      [NOT_PERMITTED]: `NDI_EDIT changes the parts about NDI and no others, SYSTEM_CONFIG_EDIT changes all others; only the Admin group sets ${PROTECTED_NAMES}`,
      [REAUTHENTICATION_REQUIRED]: 'for those that only the Admin group sets',
      [PORT_OCCUPIED]: 'with `holder`',
      [OBJECT_BUSY]: 'for a port with clients ([Ports of the hub](#ports-of-the-hub))'
    },
    source: `vendor; own: ${namesOf(['force', 'dry-run', ...OWN_PARTS])}`,
    examples: [
      { web: { 'http-port': 8081, 'enable-https': true, 'cert-filename': '', 'cert-key-filename': '' } },
      { 'expired-time': -1 },
      { 'expired-time': 1440 },
      { 'admin-session': 1 },
      { 'admin-session': 12 },
      { 'pwd-rule': {} },
      { 'pwd-rule': { length: 32, lowercase: 8, uppercase: 8, number: 8, special: 8, 'chk-name': 1 } },
      { security: { 'enable-code': true, 'code-value': '0000' } },
      { security: { 'enable-code': false } },
      { srt: { port: 8000, 'pb-key-len': 0 } },
      { srt: { port: 65535, 'pb-key-len': 32, passphrase: 'x'.repeat(79) } },
      { rtmp: { port: 1935 } },
      { hls: { enable: false } },
      {
        'ndi-discovery': {
          enable: true,
          servers: [
            { address: '192.0.2.5', port: 5959 },
            { address: 'ndi.example.com', port: 1 }
          ],
          'send-groups': 'Public,演播室',
          'recv-groups': '',
          'extra-ips': ['192.0.2.6', 'cam.example.com'],
          'machine-name': 'Studio 1',
          ifaces: ['eth0', '192.0.2.7']
        }
      },
      { channel: { 'ndi-enable': true } },
      { 'hub-ndi-server': { enable: true, port: 5959 } },
      { streams: { 'forbid-private': true } },
      { previews: { 'data-saver': true } },
      { hosts: { names: ['headend.example', '192.0.2.1', '2001:db8::1', 'hub'] } }
    ]
  }
} satisfies CallSchemas
