// The handlers of all calls.
import type { Handler } from '../http/handler.ts'
import { destinationHandlers } from './alert/destination.ts'
import { maintenanceHandlers } from './alert/maintenance.ts'
import { mibHandlers } from './alert/mib.ts'
import { pushHandlers } from './alert/push.ts'
import { ruleHandlers } from './alert/rule.ts'
import { backupHandlers } from './backup/backup.ts'
import { exportHandlers } from './backup/export.ts'
import { catalogHandlers } from './catalog/catalog.ts'
import { channelCalendarHandlers } from './channel/calendar.ts'
import { channelHandlers } from './channel/channel.ts'
import { channelHistoryHandlers } from './channel/history.ts'
import { channelSecurityHandlers } from './channel/security.ts'
import { channelSeriesHandlers } from './channel/series.ts'
import { channelTimelineHandlers } from './channel/timeline.ts'
import { deviceActionHandlers } from './device/action.ts'
import { deviceAddressHandlers } from './device/address.ts'
import { deviceConfigHandlers } from './device/config.ts'
import { deviceHandlers } from './device/device.ts'
import { discoveryHandlers } from './device/discovery.ts'
import { deviceStreamHandlers } from './device/stream.ts'
import { deviceSwapHandlers } from './device/swap.ts'
import { downloadHandlers } from './download.ts'
import { eventHandlers } from './event.ts'
import { firmwareHandlers } from './firmware/firmware.ts'
import { onlineFirmwareHandlers } from './firmware/online-firmware.ts'
import { rolloutHandlers } from './firmware/rollout.ts'
import { formHandlers } from './form/form.ts'
import { logHandlers } from './log/log.ts'
import { syslogHandlers } from './log/syslog.ts'
import { firewallHandlers } from './machine/firewall.ts'
import { nameHandler } from './machine/name.ts'
import { networkHandlers } from './machine/network.ts'
import { powerHandlers } from './machine/power.ts'
import { timeHandlers } from './machine/time.ts'
import { matrixHandlers } from './ndi/matrix.ts'
import { ndiPresetHandlers } from './ndi/preset.ts'
import { ndiSourceHandlers } from './ndi/source.ts'
import { ndiStatusHandler } from './ndi/status.ts'
import { takeHandlers } from './ndi/take.ts'
import { portForwardHandlers } from './port-forward.ts'
import { previewHandlers } from './preview.ts'
import { problemHandlers } from './problem.ts'
import { qrHandlers } from './qr.ts'
import { recordingHandlers } from './recording/recording.ts'
import { presetHandlers } from './stream/preset.ts'
import { sourceHandlers } from './stream/source.ts'
import { certificateHandlers } from './system/certificate.ts'
import { cloudHandlers } from './system/cloud.ts'
import { hardwareUpdateHandlers } from './system/hardware-update.ts'
import { licenseHandlers } from './system/license.ts'
import { openApiHandlers } from './system/openapi.ts'
import { portHandlers } from './system/ports.ts'
import { resetHandler } from './system/reset.ts'
import { settingsHandlers } from './system/settings.ts'
import { statusHandler } from './system/status.ts'
import { systemHandlers } from './system/system.ts'
import { updateHandlers } from './system/update.ts'
import { tagHandlers } from './tag.ts'
import { trashHandlers } from './trash/trash.ts'
import { savedViewHandlers } from './user/saved-view.ts'
import { sessionHandlers } from './user/session.ts'
import { tokenHandlers } from './user/token.ts'
import { userHandlers } from './user/user.ts'
import { userGroupHandlers } from './user/user-group.ts'
import { visibilityHandlers } from './user/visibility.ts'
import { visibleObjectsHandlers } from './user/visible-objects.ts'

/** The handlers of each feature, as a function of the parts of the hub that they use. */
const FEATURES = [
  sessionHandlers,
  savedViewHandlers,
  userHandlers,
  userGroupHandlers,
  tokenHandlers,
  updateHandlers,
  hardwareUpdateHandlers,
  statusHandler,
  systemHandlers,
  settingsHandlers,
  certificateHandlers,
  cloudHandlers,
  portHandlers,
  licenseHandlers,
  qrHandlers,
  mibHandlers,
  pushHandlers,
  downloadHandlers,
  logHandlers,
  syslogHandlers,
  catalogHandlers,
  deviceHandlers,
  deviceActionHandlers,
  deviceConfigHandlers,
  deviceAddressHandlers,
  discoveryHandlers,
  deviceStreamHandlers,
  deviceSwapHandlers,
  backupHandlers,
  exportHandlers,
  firmwareHandlers,
  onlineFirmwareHandlers,
  rolloutHandlers,
  visibilityHandlers,
  visibleObjectsHandlers,
  sourceHandlers,
  ndiSourceHandlers,
  ndiPresetHandlers,
  matrixHandlers,
  takeHandlers,
  ndiStatusHandler,
  presetHandlers,
  channelHandlers,
  channelCalendarHandlers,
  channelHistoryHandlers,
  channelSeriesHandlers,
  channelTimelineHandlers,
  channelSecurityHandlers,
  recordingHandlers,
  tagHandlers,
  portForwardHandlers,
  previewHandlers,
  problemHandlers,
  destinationHandlers,
  ruleHandlers,
  maintenanceHandlers,
  eventHandlers,
  formHandlers,
  trashHandlers,
  nameHandler,
  networkHandlers,
  firewallHandlers,
  powerHandlers,
  resetHandler,
  timeHandlers
]

/** What functions together need: each takes one object with the parts that it uses. */
type Needs<Feature> = (Feature extends (parts: infer Parts) => unknown ? (parts: Parts) => void : never) extends (
  parts: infer All
) => void
  ? All
  : never

export function createCallHandlers(parts: Needs<(typeof FEATURES)[number]> & { version: string }): Handler[] {
  const handlers = FEATURES.flatMap((feature) => feature(parts))
  return [...handlers, ...openApiHandlers(parts, handlers)]
}
