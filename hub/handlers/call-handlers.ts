// The handlers of all calls.
import type { HubContext } from '../context.ts'
import type { Handler } from '../http/handler.ts'
import { backupHandlers } from './backup/backup.ts'
import { exportHandlers } from './backup/export.ts'
import { catalogHandlers } from './catalog/catalog.ts'
import { channelHandlers } from './channel/channel.ts'
import { channelHistoryHandlers } from './channel/history.ts'
import { channelSecurityHandlers } from './channel/security.ts'
import { deviceActionHandlers } from './device/action.ts'
import { deviceAddressHandlers } from './device/address.ts'
import { deviceConfigHandlers } from './device/config.ts'
import { deviceHandlers } from './device/device.ts'
import { downloadHandlers } from './download.ts'
import { firmwareHandlers } from './firmware/firmware.ts'
import { rolloutHandlers } from './firmware/rollout.ts'
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
import { presetHandlers } from './stream/preset.ts'
import { sourceHandlers } from './stream/source.ts'
import { licenseHandlers } from './system/license.ts'
import { openApiHandlers } from './system/openapi.ts'
import { resetHandler } from './system/reset.ts'
import { systemHandlers } from './system/system.ts'
import { updateHandlers } from './system/update.ts'
import { PasswordCheck } from './user/password-check.ts'
import { sessionHandlers } from './user/session.ts'
import { tokenHandlers } from './user/token.ts'
import { userHandlers } from './user/user.ts'
import { userGroupHandlers } from './user/user-group.ts'
import { visibilityHandlers } from './user/visibility.ts'
import { visibleObjectsHandlers } from './user/visible-objects.ts'

export function createCallHandlers(context: HubContext): Handler[] {
  const passwordCheck = new PasswordCheck(context)
  return [
    ...sessionHandlers(context, passwordCheck),
    ...userHandlers(context),
    ...userGroupHandlers(context),
    ...tokenHandlers(context),
    ...updateHandlers(context),
    ...systemHandlers(context),
    ...licenseHandlers(context),
    ...qrHandlers(),
    ...openApiHandlers(context),
    ...downloadHandlers(context),
    ...logHandlers(context),
    ...syslogHandlers(context),
    ...catalogHandlers(context),
    ...deviceHandlers(context),
    ...deviceActionHandlers(context),
    ...deviceConfigHandlers(context),
    ...deviceAddressHandlers(context),
    ...backupHandlers(context),
    ...exportHandlers(context),
    ...firmwareHandlers(context),
    ...rolloutHandlers(context),
    ...visibilityHandlers(context),
    ...visibleObjectsHandlers(context),
    ...sourceHandlers(context),
    ...ndiSourceHandlers(context),
    ...ndiPresetHandlers(context),
    ...matrixHandlers(context),
    ...takeHandlers(context),
    ndiStatusHandler(context),
    ...presetHandlers(context),
    ...channelHandlers(context),
    ...channelHistoryHandlers(context),
    ...channelSecurityHandlers(context),
    ...portForwardHandlers(context),
    ...previewHandlers(context),
    ...problemHandlers(context),
    nameHandler(context),
    ...networkHandlers(context),
    ...firewallHandlers(context),
    ...powerHandlers(context),
    resetHandler(context, passwordCheck),
    ...timeHandlers(context)
  ]
}
