// A store that follows an answer of the hub while anybody listens to it: asked at a pace, and at once when the feed says that its
// topic changed. What the answer is made into is the business of `live-list.ts` and `live-value.ts`.
import { atom, type ReadableAtom } from 'nanostores'
import type { Call, Since } from '../../contract/call.ts'
import type { Topic } from '../../contract/change-feed.ts'
import { NOT_LOGGED_IN, NOT_PERMITTED, SUCCESS } from '../../contract/codes.ts'
import { PACE } from '../../contract/limits.ts'
import { ask as askFeed, reopen, vouched, watch } from '../link/change-feed.ts'
import { type Pace, poll } from '../link/polling.ts'
import { send } from '../link/send.ts'
import { $language } from '../text/language.ts'
import { onMount } from '../ui/on-mount.ts'
import { $session, onClear } from './session.ts'

export interface Live {
  /**
   * - `loading`: nothing has come yet for the present request
   * - `ready`: the values belong to the present request. They stay when a later answer fails; `code` then says why.
   * - `failed`: the present request was not answered well even once; `code` says why
   * - `denied`: the hub refuses it to this user
   */
  phase: 'loading' | 'ready' | 'failed' | 'denied'
  /** Result code of the last answer. */
  code: number
  /** Milliseconds since the epoch of the last good answer; 0 = none. */
  at: number
}

/** What a live store asks for, and how often. */
export interface LiveSource<Request extends object, Reply> {
  call: Call<Request, Reply>
  /** What to ask. A new value asks anew; the old answer stays until the new one is there. */
  request: ReadableAtom<Request>
  pace: Pace
  topic?: Topic
}

interface Reading<Reply, Held> {
  /** What is held before anything came. */
  nothing: Held
  /** Makes what is held of what was and an answer; undefined asks for the whole again. */
  read(held: Held, reply: Reply): Held | undefined
  /** Does not ask at the pace as long as the feed vouches that nothing changed. */
  quiet?: boolean
}

export type LiveStore<State> = ReadableAtom<State> & {
  /** Asks now, whatever was asked before. Resolved when the answer is in the store. */
  refresh(): Promise<void>
}

// The socket asks as who opened it, and in the language of then.
onClear(() => {
  if ($session.get()) reopen()
})
$language.listen(reopen)

const shown = new Set<() => unknown>()

/** Asks anew for all that is shown. Resolved when the answers are in their stores. */
export const refreshLive = (): Promise<unknown> => Promise.all(Array.from(shown, (ask) => ask()))

/** Makes a live store. It lives as long as the console: make it once, at the top of a module. */
export function live<Request extends object, Reply extends object, Held extends object>(
  { call, request, pace, topic }: LiveSource<Request, Reply>,
  { nothing, read, quiet }: Reading<Reply, Held>
): LiveStore<Live & Held> {
  const blank: Live & Held = { phase: 'loading', code: SUCCESS, at: 0, ...nothing }
  const $state = atom(blank)
  /** The revision held, and the newest one the feed spoke of. */
  let rev: number | undefined
  let mark: string | undefined
  let due = 0
  /** The request that what is held belongs to. */
  let held: Request | undefined
  let running: { abort: AbortController; done: Promise<void> } | undefined
  let askedAt = 0
  let later: ReturnType<typeof setTimeout> | undefined

  const overdue = () => rev !== undefined && due > rev

  async function look(signal: AbortSignal): Promise<void> {
    const asked = request.get()
    if (asked !== held) {
      held = asked
      rev = undefined
      if ($state.value.phase !== 'loading') $state.set({ ...$state.value, phase: 'loading' })
    }
    askedAt = Date.now()
    const wish = rev === undefined ? asked : { ...asked, since: rev, mark }
    // The first answer may be long, and would keep words of the feed waiting; later ones are like it.
    const again = $state.value.phase === 'ready' ? await askFeed(call, wish, signal) : undefined
    const reply = again ?? (await send(call, wish, { signal }).catch(() => undefined))
    // Only the signal rejects; and an answer that came at the same moment counts no more either.
    if (!reply || signal.aborted) return
    const code = reply.result
    if (code === SUCCESS) {
      const next = read($state.value, reply)
      rev = next && (reply as Since & { rev?: number }).rev
      mark = (reply as Since).mark
      if (!next && wish !== asked) return look(signal)
      $state.set({ ...$state.value, ...next, phase: 'ready', code, at: Date.now() })
    } else if (code === NOT_PERMITTED) {
      rev = undefined
      $state.set({ ...blank, phase: 'denied', code })
    } else if (code !== NOT_LOGGED_IN) {
      // Nobody signed in is no failure, which the next user would be shown.
      $state.set({ ...$state.value, phase: $state.value.phase === 'ready' ? 'ready' : 'failed', code })
    }
  }

  function stop(): void {
    running?.abort.abort()
    running = undefined
    clearTimeout(later)
    later = undefined
  }

  /** Asks; joins a request under way unless it is to be asked `anew`. */
  function ask(anew = false): Promise<void> {
    if (running && !anew) return running.done
    stop()
    const abort = new AbortController()
    const done = look(abort.signal).finally(() => {
      if (running?.abort !== abort) return
      running = undefined
      if (overdue()) soon()
    })
    running = { abort, done }
    return done
  }

  /** Asks at once, or when it is long enough since the last time. */
  function soon(): void {
    if (later) return
    later = setTimeout(
      () => {
        later = undefined
        // A hidden tab catches up when it is shown again.
        if (!document.hidden) void ask()
      },
      Math.max(0, askedAt + PACE.fast - Date.now())
    )
  }

  function hear(newest?: number): void {
    if (newest === undefined) return void ask(true)
    due = newest
    if (rev === undefined || overdue()) soon()
  }

  async function tick(): Promise<number> {
    const { phase, code } = $state.value
    const settled = phase === 'ready' && code === SUCCESS && held === request.get() && !overdue()
    if (!quiet || !settled || !vouched()) await ask()
    return $state.value.code
  }

  const refresh = () => ask(true)

  onMount($state, () => {
    shown.add(refresh)
    const stops = [
      () => shown.delete(refresh),
      request.listen(() => void ask(true)),
      poll(pace, tick),
      topic && watch(topic, hear),
      stop
    ]
    return () => {
      for (const end of stops) end?.()
    }
  })
  // The hub words some of it: what is held is of no use in another language, whatever revision it is of.
  $language.listen(() => {
    rev = undefined
    if (shown.has(refresh)) void refresh()
  })
  onClear(() => {
    stop()
    held = rev = undefined
    $state.set(blank)
  })
  return Object.assign($state, { refresh })
}
