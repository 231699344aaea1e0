import { hostname } from 'node:os'
import { changes } from '../../../contract/change-feed.ts'
import { INVALID_ARG } from '../../../contract/codes.ts'
import {
  CHANNEL_VIEW,
  DEVICE_ADV_CONTROL,
  DEVICE_VIEW,
  holds,
  INPUT_OUTPUT_VIEW,
  permits,
  SYSTEM_CONFIG_EDIT,
  SYSTEM_CONFIG_VIEW
} from '../../../contract/permissions.ts'
import { getSettings, type Settings, setSettings } from '../../../contract/settings.ts'
import { CONNECTION, SOURCE } from '../../../contract/stream/protocols.ts'
import { listAddresses, retryPorts, type SharedPort, STATUS, systemStatus } from '../../../contract/system.ts'
import type { Caller } from '../../auth/gate.ts'
import type { Hub } from '../../context.ts'
import { type Answer, answer, type Context, change, Refusal, signedIn } from '../../http/handler.ts'
import { addressesOf } from '../../machine/addresses.ts'
import { nextStep } from '../../messages/next-steps.ts'
import { reasonText } from '../../messages/reasons.ts'
import { demandFreePorts } from '../stream/ports-in-use.ts'

export function systemAnswers(hub: Hub): Answer[] {
  const { store, gate, monitor, engine, registry } = hub

  /** Everybody is told how the machine does; what is counted is what the caller could list. */
  function countsFor(caller: Caller) {
    const may = (bits: number) => permits(bits, caller.user)
    const nothing = () => false
    const all = may(CHANNEL_VIEW) ? store.channels.all() : []
    const observed = all.filter((row) => row.enable).map((row) => engine.observe(row.id))
    const outputs = observed.flatMap((channel) => [...(channel?.outputs.values() ?? [])])
    const live = outputs.filter((output) => output.connState === CONNECTION.connected)
    // Those of outputs are counted with them.
    const clients = observed.flatMap((channel) => channel.clients ?? [])
    const players = clients.filter((one) => !one.sends && one.output === undefined).length
    return {
      device: registry.counts(may(DEVICE_VIEW) ? gate.sightOf(caller) : nothing),
      channel: {
        'num-all': all.length,
        'num-enabled': observed.length,
        'num-live': observed.filter((channel) => channel.connState === CONNECTION.connected).length
      },
      output: { 'num-all': may(INPUT_OUTPUT_VIEW) ? store.sources.outputs().length : 0, 'num-live': live.length },
      client: { 'num-live': live.reduce((sum, output) => sum + (output.clientNum ?? 1), players) }
    }
  }

  function sharedPort({ language }: Context, name: 'srt' | 'rtmp'): SharedPort {
    const { reason } = engine.ports()[name]
    if (reason !== undefined) {
      // What its state says is of legs.
      const step = nextStep(language, { state: SOURCE.failed, connState: CONNECTION.waiting, reason })
      return { reason: reasonText(language, reason), ...(step && { 'next-step': step }) }
    }
    const port = hub.sharedPort(name)
    return port === undefined ? {} : { port }
  }

  /** What who comes to the SRT port needs there, if anything. */
  function srtSecret(): Pick<SharedPort, 'passphrase'> {
    const { 'pb-key-len': keyLength, passphrase } = store.settings.get('srt')
    return keyLength === 0 ? {} : { passphrase }
  }

  /** A port that changes must not be one that something else of the hub has. */
  function demandFree(context: Context, part: 'srt' | 'rtmp', port: number): void {
    const before = [store.settings.get(part).port, engine.ports()[part].port]
    if (!before.includes(port)) demandFreePorts(hub, context, [port], `${part}.port`, { kind: part })
  }

  return [
    answer(systemStatus, (context, request) => {
      const caller = signedIn(context)
      const { user } = caller
      const { lowMemory, ...measured } = monitor.reading()
      return {
        status: {
          system: {
            info: {
              'date-time': Math.floor(Date.now() / 1000),
              'cloud-version': hub.version,
              'expired-time': store.settings.get('expired-time'),
              'feature-support': 0,
              ...(permits(SYSTEM_CONFIG_VIEW, user) && { 'host-name': hostname() }),
              ...(permits(SYSTEM_CONFIG_VIEW | DEVICE_ADV_CONTROL, user) && { 'link-port': hub.ownPorts()[1] }),
              ...(permits(SYSTEM_CONFIG_EDIT, user) && { 'console-trial': hub.upgrade.onTrial() })
            },
            status: {
              'status-code':
                (lowMemory ? STATUS.lowMemory : 0) |
                (engine.ports().srt.reason === undefined ? 0 : STATUS.srtFailed) |
                hub.upgrade.bits(),
              ...measured,
              'hub-up-time': Math.floor((Date.now() - hub.started) / 1000)
            },
            ...countsFor(caller),
            ...(permits(CHANNEL_VIEW | SYSTEM_CONFIG_VIEW, user) && {
              ports: {
                srt: { ...sharedPort(context, 'srt'), ...(permits(SYSTEM_CONFIG_EDIT, user) && srtSecret()) },
                rtmp: sharedPort(context, 'rtmp')
              }
            })
          },
          'cur-license': { 'max-channel-count': store.settings.get('license-limits')['max-channel-count'] },
          ...(request['global-config'] && {
            'global-config': { device: store.settings.get('device-config') }
          }),
          ...(request.history === 1 && { 'net-history': monitor.history() })
        }
      }
    }),
    answer(listAddresses, () => {
      const { srt, rtmp } = engine.ports()
      const [web] = hub.ownPorts()
      const ports = { web, srt: srt.port, rtmp: rtmp.port }
      const open = Object.entries(ports).filter(([, port]) => port !== undefined)
      return { addresses: addressesOf(hub.host), ports: Object.fromEntries(open) }
    }),
    answer(changes, () => ({ revs: store.changes.revs() })),
    answer(getSettings, (context) => {
      const { 'enable-code': enabled, 'code-value': code } = store.settings.get('security')
      const { port, 'pb-key-len': keyLength, passphrase } = store.settings.get('srt')
      const mayEdit = holds(signedIn(context).user.permission, SYSTEM_CONFIG_EDIT)
      return {
        settings: {
          security: { 'enable-code': enabled, ...(mayEdit && { 'code-value': code }) },
          'expired-time': store.settings.get('expired-time'),
          log: store.settings.get('log'),
          srt: { port, 'pb-key-len': keyLength, ...(mayEdit && { passphrase }) },
          rtmp: store.settings.get('rtmp'),
          streams: store.settings.get('streams')
        }
      }
    }),
    change(retryPorts, (context) => {
      context.after(engine.retryPorts)
      return {}
    }),
    change(setSettings, (context, request: Partial<Settings>) => {
      const [part] = Object.keys(request)
      context.detail = part ?? ''
      if (request.security)
        store.settings.set('security', {
          'enable-code': request.security['enable-code'],
          'code-value': request.security['code-value'] ?? ''
        })
      if (request.srt) {
        const { port, 'pb-key-len': keyLength, passphrase: given } = request.srt
        demandFree(context, 'srt', port)
        const passphrase = given || store.settings.get('srt').passphrase
        if (keyLength !== 0 && passphrase === '')
          throw new Refusal(INVALID_ARG, { field: 'srt.passphrase', fault: 'required' })
        store.settings.set('srt', { port, 'pb-key-len': keyLength, passphrase })
        context.after(() => hub.portsSet('srt'))
      }
      if (request.rtmp) {
        demandFree(context, 'rtmp', request.rtmp.port)
        store.settings.set('rtmp', request.rtmp)
        context.after(() => hub.portsSet('rtmp'))
      }
      if (request.streams) {
        store.settings.set('streams', request.streams)
        context.after(engine.judgeAnew)
      }
      if (request.log) store.settings.set('log', request.log)
      if (request['expired-time'] !== undefined) store.settings.set('expired-time', request['expired-time'])
      context.after(hub.sessionsEnded)
      return {}
    })
  ]
}
