import { hostname } from 'node:os'
import { changes } from '../../contract/feed.ts'
import { holds, SYSTEM_CONFIG_EDIT } from '../../contract/permissions.ts'
import { CONNECTION } from '../../contract/protocols.ts'
import { getSettings, type Settings, setSettings } from '../../contract/settings.ts'
import { STATUS, systemStatus } from '../../contract/system.ts'
import { type Answer, answer, change, signedIn } from '../answer.ts'
import type { Hub } from '../parts.ts'

export function systemAnswers(hub: Hub): Answer[] {
  const { store, monitor, engine, registry } = hub

  function streams() {
    const all = store.channels.all()
    const observed = all.filter((row) => row.enable).map((row) => engine.observe(row.id))
    const outputs = observed.flatMap((channel) => [...(channel?.outputs.values() ?? [])])
    const live = outputs.filter((output) => output.connState === CONNECTION.connected)
    return {
      channel: {
        'num-all': all.length,
        'num-enabled': observed.length,
        'num-live': observed.filter((channel) => channel?.input.connState === CONNECTION.connected).length
      },
      output: { 'num-all': store.sources.outputs().length, 'num-live': live.length },
      client: { 'num-live': live.reduce((sum, output) => sum + (output.clientNum ?? 1), 0) }
    }
  }

  return [
    answer(systemStatus, (_context, request) => {
      const { lowMemory, ...measured } = monitor.reading()
      return {
        status: {
          system: {
            info: {
              'date-time': Math.floor(Date.now() / 1000),
              'cloud-version': hub.version,
              'expired-time': store.settings.get('expired-time'),
              'feature-support': 0,
              'host-name': hostname(),
              'link-port': hub.ownPorts()[1]
            },
            status: {
              'status-code': lowMemory ? STATUS.lowMemory : 0,
              ...measured,
              'hub-up-time': Math.floor((Date.now() - hub.started) / 1000)
            },
            device: registry.counts(),
            ...streams()
          },
          ...(request.history === 1 && { 'net-history': monitor.history() })
        }
      }
    }),
    answer(changes, () => ({ revs: store.changes.revs() })),
    answer(getSettings, (context) => {
      const { 'enable-code': enabled, 'code-value': code } = store.settings.get('security')
      const mayEdit = holds(signedIn(context).user.permission, SYSTEM_CONFIG_EDIT)
      return {
        settings: {
          security: { 'enable-code': enabled, ...(mayEdit && { 'code-value': code }) },
          'expired-time': store.settings.get('expired-time'),
          log: store.settings.get('log')
        }
      }
    }),
    change(setSettings, (context, request: Partial<Settings>) => {
      const [part] = Object.keys(request)
      context.detail = part ?? ''
      if (request.security)
        store.settings.set('security', {
          'enable-code': request.security['enable-code'],
          'code-value': request.security['code-value'] ?? ''
        })
      if (request.log) store.settings.set('log', request.log)
      if (request['expired-time'] !== undefined) store.settings.set('expired-time', request['expired-time'])
      context.after(hub.sessionsEnded)
      return {}
    })
  ]
}
