// Handlers for the ports of the hub (contract/web/ports.ts).
import { NOT_EXIST, WRONG_STATE } from '../../../contract/codes.ts'
import type { Reason } from '../../../contract/stream/reason.ts'
import {
  cancelPort,
  confirmPort,
  type HubPort,
  listPorts,
  PORT_DEFAULTS,
  WEB_PORTS
} from '../../../contract/web/ports.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { SharedPorts } from '../../channels/shared-ports.ts'
import { CallError, type Context, type Handler, handle, handlePreparedChange } from '../../http/handler.ts'
import type { WebPorts } from '../../http/ports/web-ports.ts'
import { findProgram, type PortProtocol } from '../../machine/port-program.ts'
import type { Language } from '../../messages/language.ts'
import { reasonText } from '../../messages/reasons.ts'
import { portText } from '../../messages/response-messages.ts'
import type { Store } from '../../store/store.ts'
import { describeHls } from './hls.ts'

interface PortsParts {
  store: Store
  engine: EngineClient
  webPorts: WebPorts
  sharedPorts: SharedPorts
}

/** Why a port is closed, with the program that has it. */
function closedText(language: Language, reason: Reason, protocol: PortProtocol): string {
  const [code, port] = reason.split(' ')
  const holder = code === 'port-taken' ? findProgram(protocol, Number(port)) : undefined
  return holder ? portText(language, Number(port), holder) : reasonText(language, reason)
}

function describePorts({ webPorts, engine, store, sharedPorts }: PortsParts, { language }: Context): HubPort[] {
  const textOf = (reason: Reason, protocol: PortProtocol = 'tcp') => closedText(language, reason, protocol)
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
      ...(why !== undefined && { reason: textOf(why) })
    }
  })
  const shared = (['srt', 'rtmp'] as const).map((name): HubPort => {
    const { reason } = engine.observePorts()[name]
    const port = reason === undefined ? sharedPorts.portOf(name) : undefined
    return {
      name,
      setting: store.settings.get(name).port,
      default: PORT_DEFAULTS[name],
      ...(port !== undefined && { port }),
      ...(reason !== undefined && { reason: textOf(reason, name === 'srt' ? 'udp' : 'tcp') })
    }
  })
  return [...web, ...shared]
}

export function portHandlers(parts: PortsParts): Handler[] {
  const { webPorts, sharedPorts } = parts
  const findTrial = () => webPorts.trial() ?? sharedPorts.trial.observe()
  const describeTrial = () => {
    const { name = '', port = '' } = findTrial() ?? {}
    return `${name} ${port}`.trim()
  }
  return [
    handle(listPorts, (context) => {
      const trial = findTrial()
      const outcomes = [webPorts.last(), sharedPorts.trial.last()].flatMap((outcome) => outcome ?? [])
      const [last] = outcomes.sort((a, b) => b.at - a.at)
      const list = describePorts(parts, context)
      return { list, hls: describeHls(parts), ...(trial && { trial }), ...(last && { last }) }
    }),
    handlePreparedChange(
      confirmPort,
      async (context) => {
        context.detail = describeTrial()
        if (sharedPorts.trial.confirm()) return
        if (!webPorts.isTrying()) throw new CallError(NOT_EXIST)
        if (!(await webPorts.confirm(context.localPort))) throw new CallError(WRONG_STATE)
      },
      () => ({})
    ),
    handlePreparedChange(
      cancelPort,
      async (context) => {
        context.detail = describeTrial()
        if (!sharedPorts.trial.cancel() && !(await webPorts.cancel())) throw new CallError(NOT_EXIST)
      },
      () => ({})
    )
  ]
}
