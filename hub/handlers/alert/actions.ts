// Actions of rules of notifications: put an input on air, take a salvo, record a channel.
import type { RuleAction } from '../../../contract/alert/rule.ts'
import { SUCCESS, UNSUPPORTED } from '../../../contract/codes.ts'
import { LOG_WARNING } from '../../../contract/log.ts'
import { takeSalvo } from '../../../contract/ndi/router.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import { codeText } from '../../messages/codes.ts'
import type { RouterService } from '../../ndi/router-service.ts'
import type { Recordings } from '../../recordings/recordings.ts'
import type { StoredRule } from '../../store/alert-rules.ts'
import type { Store } from '../../store/store.ts'
import { holdInput } from '../channel/switch.ts'

export interface ActionParts {
  store: Store
  engine: EngineClient
  routers: Pick<RouterService, 'take'>
  recordings: Recordings
  applyChannel: (id: number) => Promise<void>
}

function switchChannel(parts: ActionParts, { channel, input }: RuleAction & { type: 'switch' }): void {
  const row = parts.store.channels.byId(channel)
  if (!row) return
  parts.store.database.transaction(() => holdInput(parts, row, input))
  void parts.applyChannel(channel)
}

/** Starts a recording of a channel, which a user stops. @throws Error if the channel cannot be recorded */
function recordChannel({ store, recordings, applyChannel }: ActionParts, rule: StoredRule, channel: number): void {
  if (!store.channels.byId(channel)) return
  if (!recordings.isAvailable) throw new Error(codeText('en', UNSUPPORTED))
  store.database.transaction(() => recordings.begin(channel, rule.name))
  void applyChannel(channel)
}

/** Takes a salvo in the name of the rule, which opens no locks. @throws Error with the text of the result */
async function takeSalvoOf({ store, routers }: ActionParts, rule: StoredRule, id: number, matrix: number) {
  const salvo = store.matrices.salvos(matrix).find((each) => each.id === id)
  if (!salvo) return
  const actor = { name: rule.name, address: '', isAdmin: false }
  const { result } = await routers.take(matrix, salvo.takes, actor, { title: salvo.name, event: takeSalvo.path })
  if (result !== SUCCESS) throw new Error(codeText('en', result))
}

/** @returns a function that runs an action of a rule, and logs a failure */
export function createActions(parts: ActionParts): (action: RuleAction, rule: StoredRule) => void {
  const run = async (action: RuleAction, rule: StoredRule) => {
    if (action.type === 'switch') switchChannel(parts, action)
    else if (action.type === 'record') recordChannel(parts, rule, action.channel)
    else await takeSalvoOf(parts, rule, action.salvo, action.matrix)
  }
  return (action, rule) => {
    run(action, rule).catch((error) =>
      parts.store.logEvent({
        event: 'alert-action-failed',
        detail: `${rule.name}: ${error.message}`,
        level: LOG_WARNING
      })
    )
  }
}
