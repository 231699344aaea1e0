// Handlers for the ports of the hub (contract/web/ports.ts).
import { NOT_EXIST, WRONG_STATE } from '../../../contract/codes.ts'
import {
  cancelPort,
  confirmPort,
  type HubPort,
  listPorts,
  PORT_DEFAULTS,
  WEB_PORTS
} from '../../../contract/web/ports.ts'
import type { HubContext } from '../../context.ts'
import { CallError, type Context, type Handler, handle, handlePreparedChange } from '../../http/handler.ts'
import { reasonText } from '../../messages/reasons.ts'

function describePorts(hub: HubContext, { language }: Context): HubPort[] {
  const { webPorts, engine, store } = hub
  const web = WEB_PORTS.filter((name) => name !== 'https' || webPorts.isHttpsEnabled()).map((name): HubPort => {
    const { port, reason } = webPorts.ports[name].observe()
    const setting = webPorts.settingOf(name)
    // A port that the hub could not open at its start, so that another one is open.
    const taken =
      port !== undefined && setting !== 0 && port !== setting ? (`port-taken ${setting}` as const) : undefined
    const why = reason ?? taken
    return {
      name,
      setting,
      default: webPorts.defaultOf(name),
      ...(port !== undefined && { port }),
      ...(why !== undefined && { reason: reasonText(language, why) })
    }
  })
  const shared = (['srt', 'rtmp'] as const).map((name): HubPort => {
    const { reason } = engine.observePorts()[name]
    const port = reason === undefined ? hub.sharedPort(name) : undefined
    return {
      name,
      setting: store.settings.get(name).port,
      default: PORT_DEFAULTS[name],
      ...(port !== undefined && { port }),
      ...(reason !== undefined && { reason: reasonText(language, reason) })
    }
  })
  return [...web, ...shared]
}

export function portHandlers(hub: HubContext): Handler[] {
  const { webPorts } = hub
  const describeTrial = () => {
    const { name = '', port = '' } = webPorts.trial() ?? {}
    return `${name} ${port}`.trim()
  }
  return [
    handle(listPorts, (context) => {
      const [trial, last] = [webPorts.trial(), webPorts.last()]
      return { list: describePorts(hub, context), ...(trial && { trial }), ...(last && { last }) }
    }),
    handlePreparedChange(
      confirmPort,
      async (context) => {
        context.detail = describeTrial()
        if (!webPorts.isTrying()) throw new CallError(NOT_EXIST)
        if (!(await webPorts.confirm(context.localPort))) throw new CallError(WRONG_STATE)
      },
      () => ({})
    ),
    handlePreparedChange(
      cancelPort,
      async (context) => {
        context.detail = describeTrial()
        if (!(await webPorts.cancel())) throw new CallError(NOT_EXIST)
      },
      () => ({})
    )
  ]
}
