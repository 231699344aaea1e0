// One device, put together: what it is, how it behaves, its link, its stream.
import type { Appliance } from './apis/appliance.ts'
import type { Order } from './behaviour.ts'
import { loadSaved, save } from './device-storage.ts'
import { helloOf } from './identity.ts'
import { createLink, type LinkOptions, type LinkState } from './link.ts'
import { createMachine } from './machine.ts'
import { clipOf } from './media.ts'
import { createPlayer } from './play.ts'
import { createPusher } from './push.ts'
import type { Entry } from './roster.ts'
import { serve } from './serve.ts'
import { createUpgrader } from './upgrade.ts'

/** Milliseconds: from a restart to dialling in again, and for an installation. */
export const PACE = { reboot: 5000, install: 4000 } as const
/** Milliseconds: of being away when told to drop, from losing the hub to ending its stream. */
const DROPPED = 10_000
const STREAM_WITHOUT_LINK = 5000
/** Milliseconds in which the answer to a restart goes out. */
const LAST_WORD = 200

/** What a device says of itself to the supervisor. */
export interface Report {
  sn: string
  name: string
  link: LinkState
  behaviour: string
  registration: number | undefined
}

export interface SimulatedDevice {
  start(): void
  tell(order: Order): void
  stop(): void
}

export interface DeviceOptions {
  entry: Entry
  /** The fleet's folder. */
  folder: string
  seed: string
  hub: { host: string; port: number }
  report(report: Report): void
  /** For tests, which have no time. */
  pace?: { reboot: number; install: number }
}

export function createDevice({ entry, folder, seed, hub, report, pace = PACE }: DeviceOptions): SimulatedDevice {
  const { sn } = entry
  const saved = loadSaved(folder, sn)
  const nameNow = () => saved.name ?? entry.name
  const machine = createMachine(entry, () => saved.behaviour)
  const pusher = createPusher({
    clip: () => clipOf(folder, sn),
    pretends: () => saved.behaviour === 'pretend',
    sending: machine.setPushing
  })
  const player = createPlayer({
    pretends: () => saved.behaviour === 'pretend',
    playing: (on) => machine.setPlaying(on ? player.from() : undefined),
    received: machine.receive
  })
  let restarting = false
  /** It did not come back from an update. */
  let lost = false
  let forgetting: NodeJS.Timeout | undefined

  const upgrader = createUpgrader({
    model: entry.model,
    behaviour: () => saved.behaviour,
    duration: pace.install,
    // The Pro Convert devices say that they are ready to restart, and wait to be told (device-api 4.1); the others restart by themselves.
    completed: () => entry.model.api !== 'mwapi' && appliance.reboot()
  })

  function stopStreams(): void {
    pusher.stop()
    player.stop()
  }

  function restart(): void {
    restarting = false
    stopStreams()
    machine.boot()
    const updated = upgrader.state().step === 'completed'
    const version = upgrader.restarted()
    if (version !== undefined) {
      saved.firmware = version
      save(folder, sn, saved)
    }
    lost = updated && saved.behaviour === 'update-lost'
    if (lost) link.stop()
    else link.drop(pace.reboot)
  }

  const appliance: Appliance = {
    entry,
    machine,
    name: nameNow,
    firmware: () => saved.firmware ?? entry.model.firmware,
    upgrader,
    get restarting() {
      return restarting
    },
    rename(name) {
      saved.name = name
      save(folder, sn, saved)
      tellSupervisor()
    },
    reboot() {
      if (restarting) return false
      restarting = true
      setTimeout(restart, LAST_WORD)
      return true
    }
  }

  const end: Pick<LinkOptions, 'host' | 'port' | 'hello' | 'serve'> = {
    ...hub,
    hello: () => helloOf(entry, nameNow(), seed, saved.firmware),
    serve: (session) =>
      serve(session, {
        appliance,
        behaviour: () => saved.behaviour,
        push: (order) => pusher.start(hub.host, order),
        stopPush: pusher.stop,
        play: (order) => player.start(hub.host, order),
        stopPlay: player.stop,
        told: link.told
      })
  }
  const twin = createLink({ ...end, changed() {} })
  const link = createLink({
    ...end,
    changed(state) {
      if (state === 'up') {
        clearTimeout(forgetting)
        forgetting = undefined
      } else forgetting ??= setTimeout(stopStreams, STREAM_WITHOUT_LINK)
      tellSupervisor()
    }
  })

  function tellSupervisor(): void {
    const { state, registration } = link
    report({ sn, name: nameNow(), link: state, behaviour: saved.behaviour, registration })
  }

  return {
    /** Dials in, or dials again at once. */
    start() {
      link.dial()
      if (saved.behaviour === 'twin') twin.dial()
    },
    tell(order) {
      if (order === 'drop') return link.drop(DROPPED)
      if (saved.behaviour === 'twin') twin.stop()
      saved.behaviour = order
      save(folder, sn, saved)
      if (order === 'twin') twin.dial()
      if (order === 'pretend') {
        pusher.again()
        player.again()
      }
      if (lost) link.dial()
      lost = false
      tellSupervisor()
    },
    stop() {
      link.stop()
      twin.stop()
      upgrader.stop()
      stopStreams()
      clearTimeout(forgetting)
    }
  }
}
