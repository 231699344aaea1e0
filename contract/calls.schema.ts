// The declarations of all calls.
import type * as z from 'zod'
import { displaySchemas } from './access/display.schema.ts'
import { profileSchemas } from './access/profile.schema.ts'
import { savedViewSchemas } from './access/saved-view.schema.ts'
import { secondFactorSchemas } from './access/second-factor.schema.ts'
import { sessionSchemas } from './access/session.schema.ts'
import { ticketSchemas } from './access/ticket.schema.ts'
import { tokenSchemas } from './access/token.schema.ts'
import { userSchemas } from './access/user.schema.ts'
import { visibleObjectsSchemas } from './access/visible-objects.schema.ts'
import { destinationSchemas } from './alert/destination.schema.ts'
import { maintenanceSchemas } from './alert/maintenance.schema.ts'
import { pushSchemas } from './alert/push.schema.ts'
import { ruleSchemas } from './alert/rule.schema.ts'
import { snmpSchemas } from './alert/snmp.schema.ts'
import { backupSchemas } from './backup/backup.schema.ts'
import { exportSchemas } from './backup/export.schema.ts'
import type { CallSchema, CallSchemas } from './call.schema.ts'
import type { Call } from './call.ts'
import { catalogSchemas } from './catalog.schema.ts'
import { changeFeedSchemas } from './change-feed.schema.ts'
import { cloudRegistrationSchemas } from './cloud-registration.schema.ts'
import { actionSchemas } from './device/action.schema.ts'
import { addressSchemas } from './device/address.schema.ts'
import { deviceSchemas } from './device/device.schema.ts'
import { discoverySchemas } from './device/discovery.schema.ts'
import { deviceStreamSchemas } from './device/stream.schema.ts'
import { swapSchemas } from './device/swap.schema.ts'
import { eventSchemas } from './event.schema.ts'
import { downloadSchemas } from './file/download.schema.ts'
import { firmwareSchemas } from './firmware.schema.ts'
import { formSchemas } from './form/form.schema.ts'
import { hardwareUpdateSchemas } from './hardware-update.schema.ts'
import { callsSchemas } from './license/calls.schema.ts'
import { logSchemas } from './log.schema.ts'
import { firewallSchemas } from './machine/firewall/firewall.schema.ts'
import { nameSchemas } from './machine/name.schema.ts'
import { networkSchemas } from './machine/network.schema.ts'
import { pingSchemas } from './machine/ping.schema.ts'
import { powerSchemas } from './machine/power.schema.ts'
import { timeSchemas } from './machine/time.schema.ts'
import { ndiPresetSchemas } from './ndi/preset.schema.ts'
import { routerSchemas } from './ndi/router.schema.ts'
import { ndiStatusSchemas } from './ndi/status.schema.ts'
import { portForwardSchemas } from './port-forward.schema.ts'
import { previewSchemas } from './preview.schema.ts'
import { problemSchemas } from './problem.schema.ts'
import { qrSchemas } from './qr.schema.ts'
import { recordingSchemas } from './recording/recording.schema.ts'
import { shareSchemas } from './recording/share.schema.ts'
import { rolloutSchemas } from './rollout.schema.ts'
import { settingsSchemas } from './settings.schema.ts'
import { channelSchemas } from './stream/channel.schema.ts'
import { channelActionsSchemas } from './stream/channel-actions.schema.ts'
import { channelCalendarSchemas } from './stream/channel-calendar.schema.ts'
import { channelHistorySchemas } from './stream/channel-history.schema.ts'
import { channelSecuritySchemas } from './stream/channel-security.schema.ts'
import { channelSeriesSchemas } from './stream/channel-series.schema.ts'
import { channelTimelineSchemas } from './stream/channel-timeline.schema.ts'
import { channelWatchSchemas } from './stream/channel-watch.schema.ts'
import { faultPictureSchemas } from './stream/fault-picture.schema.ts'
import { ndiSchemas } from './stream/ndi.schema.ts'
import { streamPresetSchemas } from './stream/preset.schema.ts'
import { sourceSchemas } from './stream/source.schema.ts'
import { syslogStatusSchemas } from './syslog/status.schema.ts'
import { systemSchemas } from './system.schema.ts'
import { tagSchemas } from './tag.schema.ts'
import { trashSchemas } from './trash.schema.ts'
import { updateSchemas } from './update.schema.ts'
import { certificateSchemas } from './web/certificate.schema.ts'
import { portsSchemas } from './web/ports.schema.ts'

/** Every call. `declareCall` takes only keys of this table. */
export const CALL_SCHEMAS = {
  ...displaySchemas,
  ...profileSchemas,
  ...savedViewSchemas,
  ...secondFactorSchemas,
  ...sessionSchemas,
  ...ticketSchemas,
  ...tokenSchemas,
  ...userSchemas,
  ...visibleObjectsSchemas,
  ...pushSchemas,
  ...snmpSchemas,
  ...destinationSchemas,
  ...maintenanceSchemas,
  ...ruleSchemas,
  ...backupSchemas,
  ...exportSchemas,
  ...catalogSchemas,
  ...changeFeedSchemas,
  ...cloudRegistrationSchemas,
  ...actionSchemas,
  ...addressSchemas,
  ...discoverySchemas,
  ...deviceStreamSchemas,
  ...deviceSchemas,
  ...swapSchemas,
  ...downloadSchemas,
  ...firmwareSchemas,
  ...formSchemas,
  ...hardwareUpdateSchemas,
  ...rolloutSchemas,
  ...callsSchemas,
  ...logSchemas,
  ...firewallSchemas,
  ...nameSchemas,
  ...networkSchemas,
  ...pingSchemas,
  ...powerSchemas,
  ...timeSchemas,
  ...ndiPresetSchemas,
  ...routerSchemas,
  ...ndiStatusSchemas,
  ...portForwardSchemas,
  ...previewSchemas,
  ...problemSchemas,
  ...eventSchemas,
  ...qrSchemas,
  ...recordingSchemas,
  ...shareSchemas,
  ...settingsSchemas,
  ...tagSchemas,
  ...channelActionsSchemas,
  ...channelCalendarSchemas,
  ...channelHistorySchemas,
  ...channelSecuritySchemas,
  ...channelSeriesSchemas,
  ...channelTimelineSchemas,
  ...channelWatchSchemas,
  ...faultPictureSchemas,
  ...channelSchemas,
  ...ndiSchemas,
  ...streamPresetSchemas,
  ...sourceSchemas,
  ...syslogStatusSchemas,
  ...systemSchemas,
  ...trashSchemas,
  ...updateSchemas,
  ...certificateSchemas,
  ...portsSchemas
} satisfies CallSchemas

type Schemas = typeof CALL_SCHEMAS

/** Method and path of a declared call. */
export type CallName = keyof Schemas

/** The request of a call as its handler gets it. */
export type RequestTo<Name extends CallName> = z.output<Schemas[Name]['request']>

/** The response of a call, without the envelope. */
export type ResponseTo<Name extends CallName> = Schemas[Name] extends { response: infer Response extends z.ZodType }
  ? z.output<Response>
  : Schemas[Name] extends { content: string }
    ? never
    : object

/** The declaration of a call. */
export function schemaOf({ method, path }: Pick<Call, 'method' | 'path'>): CallSchema | undefined {
  return (CALL_SCHEMAS as CallSchemas)[`${method} ${path as `/${string}`}`]
}
