// Schemas of system.
import * as z from 'zod'
import type { CallSchemas } from './call.schema.ts'
import { NOT_LOGGED_IN } from './codes.ts'
import { GlobalConfig } from './device/config.schema.ts'
import { emptyRequest, own, port, queryNumber, vendor } from './fields.schema.ts'
import { HubHealth } from './health.schema.ts'
import { CurrentLicense, LicenseRegistration } from './license/calls.schema.ts'
import { MachineMode } from './machine/machine.schema.ts'
import { PasswordRules } from './rules/password.schema.ts'
import { HttpsState } from './web/certificate.schema.ts'

/** A name as an upload returned it. Empty: none. */
const uploadName = z.string().max(64)

export const webPart = z
  .object({
    'http-port': port,
    'https-port': port,
    'link-port': port,
    'files-port': port,
    'enable-https': z.boolean(),
    'redirect-http': z.boolean(),
    hsts: z.boolean(),
    'cert-filename': uploadName,
    'cert-key-filename': uploadName
  })
  .partial()
  .refine((part) => (part['cert-filename'] === undefined) === (part['cert-key-filename'] === undefined), {
    path: ['cert-key-filename']
  })

/** Why changes cannot be stored: the disk is full, read-only, or fails. */
export const StorageFault = z.enum(['full', 'read-only', 'failed'])
export const SharedPort = z.object({
  port: z.int().optional().describe('The port; it opens when the first channel starts'),
  passphrase: z
    .string()
    .optional()
    .describe(
      'SRT passphrase for publishers and players, if one is set. Returned only to callers that may edit the system configuration'
    ),
  reason: z
    .string()
    .optional()
    .describe(
      'Why the port cannot be opened, in the language of the request. The hub keeps retrying. `port` is then absent'
    ),
  'next-step': z.string().optional().describe('The next step, in the language of the request')
})
/** The port for HLS outputs and downloads. */
export const FilesPortStatus = z.object({
  port: z
    .int()
    .optional()
    .describe(
      'Absent while it is closed, and for clients that reach the hub through a reverse proxy but not its other ports'
    ),
  reason: z
    .string()
    .optional()
    .describe('Why the port cannot be opened, as in `SharedPort`. The web server serves the same files'),
  'next-step': z.string().optional()
})
/** Network traffic in Mbps, oldest first. */
export const TrafficHistory = z.object({
  rx: z.array(z.number()),
  tx: z.array(z.number())
})
/** A measured value is absent if the machine does not provide it. */
export const SystemStatus = z.object({
  system: z.object({
    health: HubHealth.optional(),
    info: z.object({
      'date-time': z.int().describe('Clock of the hub in seconds since the epoch'),
      'cloud-version': z.string(),
      'hardware-ver': z
        .string()
        .optional()
        .describe(
          'Version of the hardware as its maker has written it: the product version of the DMI table, else the model in the device tree. Absent if the machine has neither'
        ),
      'expired-time': z.int().describe('Session expiry in minutes; -1 never'),
      'feature-support': z.number().describe('Bits of `FEATURE_BITS`'),
      'device-name': z
        .string()
        .optional()
        .describe(
          'Name of the hub, and of its machine; returned only to callers that may view the system configuration'
        ),
      'host-name': z.string().optional(),
      machine: MachineMode.optional().describe(
        'Whether the hub changes the settings of its machine; returned like `host-name`'
      ),
      'data-saver': z
        .literal(true)
        .optional()
        .describe('The data saver is on in browsers without a setting of their own'),
      'link-port': z
        .int()
        .optional()
        .describe(
          'Port for device registration; returned only to callers that may view the system configuration or accept devices'
        ),
      'https-state': HttpsState.optional().describe(
        'State of HTTPS; returned only to callers that may view the system configuration'
      ),
      'console-trial': z
        .string()
        .optional()
        .describe('Name of the script of the console on trial (`update.ts`); returned only to the Admin group')
    }),
    status: z.object({
      'status-code': z.int().describe('Mask of states of the hub, see [System status](#system-status)'),
      cpu: z.number().optional().describe('Load of all processors in percent, 0-100'),
      mem: z.number().optional().describe('Part of the memory in use, 0-1'),
      'mem-total': z.int().optional().describe('Memory of the machine in MB'),
      'disk-info': z
        .object({
          total: z.int(),
          free: z.number()
        })
        .optional()
        .describe("File system of the hub's data, in MB"),
      'net-tx': z.number().optional().describe('Sent Mbps of all interfaces except loopback'),
      'net-rx': z.number().optional().describe('Received Mbps of all interfaces except loopback'),
      temperature: z.number().optional().describe('Hottest sensor, in degrees Celsius'),
      'fan-rpm': z.number().optional().describe('Fastest fan, in revolutions per minute'),
      'up-time': z.int().optional().describe('Seconds since the machine started'),
      'hub-up-time': z.int().optional().describe('Seconds since the hub started'),
      'cpu-count': z.int().optional().describe('Number of processors'),
      'storage-fault': StorageFault.optional().describe(
        'Set while changes cannot be stored. Reading, signing in, and calls that delete or end something are possible'
      )
    }),
    device: z
      .object({
        'num-pending': z.number(),
        'num-warn': z.number(),
        'num-all': z.number(),
        'num-online': z.number(),
        'num-rejected': z.number(),
        'num-favorite': z.number().describe("Accepted devices that are the caller's favorites"),
        'num-update': z
          .number()
          .optional()
          .describe('Accepted devices with a `firmware-update`; for callers with FIRMWARE_VIEW')
      })
      .describe('The numbers of devices, channels and outputs include only objects that the caller may see'),
    channel: z.object({
      'num-all': z.number(),
      'num-enabled': z.number(),
      'num-live': z.number()
    }),
    output: z.object({
      'num-all': z.number(),
      'num-live': z.number()
    }),
    client: z
      .object({
        'num-live': z.number()
      })
      .describe('`num-live`: players and servers that receive an output now'),
    problem: z
      .object({
        'num-down': z.number(),
        'num-bad': z.number(),
        'num-warn': z.number(),
        'num-new': z.number()
      })
      .optional()
      .describe(
        'Problems that the caller may see: channels that are down, all that are bad, those that only degrade something, and those of both that nobody has acknowledged'
      ),
    ports: z
      .object({
        srt: SharedPort,
        rtmp: SharedPort,
        files: FilesPortStatus.optional()
      })
      .optional()
      .describe('The shared ports. Returned only to callers that may view channels or the system configuration'),
    cloud: z
      .object({
        online: z.boolean()
      })
      .optional()
      .describe('Whether the hub is accepted by its cloud and connected; absent while it has none')
  }),
  'license-reg': LicenseRegistration.optional().meta(vendor('The licence and the limits in force')),
  'cur-license': CurrentLicense.partial()
    .optional()
    .meta(vendor('See [Licence](#licence). Callers without SYSTEM_CONFIG_VIEW get only `status` of `license-reg`')),
  'pwd-rule': PasswordRules.partial()
    .optional()
    .meta(vendor('Rules for new passwords, as in the [settings](#settings); for every user')),
  'global-config': GlobalConfig.optional().meta(
    vendor('`device`: the global connection configuration, with `global-config` in the request')
  ),
  'net-history': z
    .object({
      'mbps-s': TrafficHistory,
      'mbps-m': TrafficHistory
    })
    .optional()
    .meta(
      own(
        'With `history`: `mbps-s` (60 values, one per second), `mbps-m` (60 values, one per minute), each with `rx` and `tx`'
      )
    )
})
/** An IP address of the hub and its network interface. */
export const HubAddress = z.object({
  iface: z.string(),
  address: z.string()
})
/** Addresses and ports under which clients reach the hub. */
export const HubAddresses = z.object({
  addresses: z
    .array(HubAddress)
    .describe(
      'Addresses, of each interface IPv4 before IPv6, without link-local ones; at least one if the hub has a network'
    ),
  ports: z
    .object({
      web: z.number().optional(),
      files: z.number().optional(),
      srt: z.number().optional(),
      rtmp: z.number().optional()
    })
    .describe('Open ports: the web server, HLS and downloads, and the shared ports')
})

export type StorageFault = z.infer<typeof StorageFault>
export type SharedPort = z.infer<typeof SharedPort>
export type FilesPortStatus = z.infer<typeof FilesPortStatus>
export type TrafficHistory = z.infer<typeof TrafficHistory>
export type SystemStatus = z.infer<typeof SystemStatus>
export type HubAddress = z.infer<typeof HubAddress>
export type HubAddresses = z.infer<typeof HubAddresses>

export const systemSchemas = {
  'GET /system/status': {
    summary:
      'Returns the load of the machine, counts of the objects that the caller may see, the shared ports, and the limits of the licence.',
    request: z.object({
      'global-config': queryNumber(0, 1).describe('non-zero'),
      history: queryNumber(0, 1).describe('1')
    }),
    response: z.object({
      status: SystemStatus
    }),
    responseNote: '`status`, see below',
    errors: { [NOT_LOGGED_IN]: '' },
    source: 'vendor; own: `history`',
    examples: [{}, { 'global-config': 1, history: 1 }]
  },
  'GET /system/addresses': {
    summary:
      'Returns addresses and ports under which clients reach the hub. Ports of outputs in listener mode are not included; they are in `listOutputs`.',
    request: emptyRequest,
    response: HubAddresses,
    responseNote: '`addresses` (`iface`, `address`), `ports` (`web`, `files`, `srt`, `rtmp`: the open ones)',

    source: 'own',
    examples: [{}]
  },
  'POST /system/ports/retry': {
    summary: 'Retries to open the closed shared ports, and the port for files, at once.',
    operation: ['Reopen shared ports', '重新打开共享端口'],
    request: emptyRequest,

    source: 'own',
    examples: [{}]
  },
  'GET /openapi.json': {
    summary: 'Returns all calls as an OpenAPI document, without an envelope.',
    request: emptyRequest,
    content: 'application/json',
    responseNote: 'OpenAPI 3.1 document of all calls, without `result`',
    errors: { [NOT_LOGGED_IN]: '' },
    source: 'own',
    examples: [{}]
  }
} satisfies CallSchemas
