// What an operator has put on air at a channel with backups or a slate, until it ends.
import type { WantedHold } from '../interfaces/channel.ts'
import { type Candidate, type Choice, type ChoiceContext, canHold, type Hold } from './switch-rule.ts'

export class OperatorHold {
  #wanted: WantedHold | undefined
  /** Version of the last choice that has ended. It stays wanted until the hub has heard of its end. */
  #endedVersion: number | undefined

  update(wanted: WantedHold | undefined): void {
    this.#wanted = wanted
  }

  /** The choice that is in force. @param ids IDs of the inputs. An input that the channel has no more has the index -1 */
  find(ids: readonly number[]): Hold | undefined {
    const wanted = this.#wanted
    if (!wanted || wanted.version === this.#endedVersion) return undefined
    return wanted.input === 'slate' ? 'slate' : ids.indexOf(wanted.input)
  }

  /**
   * Ends a choice that has no media. After a start the input gets the time of the rule to connect.
   * @returns the version of the choice that has ended
   */
  endIfLost(candidates: readonly Candidate[], context: ChoiceContext): number | undefined {
    const { hold, now, startedAt, rule } = context
    const isStarting = now - startedAt < rule['after-s'] * 1000
    return hold === undefined || isStarting || canHold(hold, candidates, context) ? undefined : this.#end()
  }

  /**
   * Ends the choice of the first input when it is on air, because it stays on air by the rule.
   * @returns the version of the choice that has ended
   */
  endIfFirst({ index, slate }: Choice, hold: Hold | undefined): number | undefined {
    return hold === 0 && index === 0 && !slate ? this.#end() : undefined
  }

  #end(): number | undefined {
    this.#endedVersion = this.#wanted?.version
    return this.#endedVersion
  }
}
