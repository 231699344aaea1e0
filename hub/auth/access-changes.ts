// The end of sessions and of rights. What a session has open is checked again after each of them.
import type { Topic } from '../../contract/change-feed.ts'
import { Emitter } from '../emitter.ts'
import type { Changes } from '../store/changes.ts'

export class AccessChanges {
  /** Sessions or tokens ended or expired, or users lost rights. */
  readonly reduced = new Emitter()
  readonly #changes: Changes

  constructor(changes: Changes) {
    this.#changes = changes
  }

  /** Closes the sockets, previews, port forwards and device pages of sessions and tokens that ended or expired. */
  readonly sessionsEnded = (): void => this.reduced.emit()

  /**
   * Permissions or visibility of users changed: does what `sessionsEnded` does, and makes consoles fetch every list
   * again.
   */
  readonly permissionsChanged = (): void => {
    for (const topic of Object.keys(this.#changes.revs())) this.#changes.resetTopic(topic as Topic)
    this.reduced.emit()
  }
}
