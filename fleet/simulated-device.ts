// A simulated device: hardware, APIs, device link and streams.
import type { ServerHttp2Session } from 'node:http2'
import { REGISTRATION_STATE } from '../contract/device/device.ts'
import { HELLO_HEADER } from '../contract/device/link.ts'
import { DeviceLink, type LinkState } from '../device-link/dial.ts'
import type { Appliance } from './apis/appliance.ts'
import type { BehaviourCommand } from './behaviour.ts'
import { loadState, type SavedState, saveState } from './device-storage.ts'
import { createHello } from './identity.ts'
import type { HubLink } from './instruction.ts'
import { Machine } from './machine.ts'
import { isRefusal, registrationText } from './network/registration-text.ts'
import { serveLink } from './network/serve.ts'
import type { RosterEntry } from './roster.ts'
import { clipPath } from './streams/media.ts'
import { createPlayer, type Player } from './streams/player.ts'
import { createPusher, type Pusher } from './streams/pusher.ts'
import { Upgrader } from './upgrade.ts'

/** Milliseconds from a restart until the device connects again, and of an installation. */
const TIMING = { reboot: 5000, install: 4000 } as const
/** Milliseconds until the device reconnects after the command `drop`. */
const DROP_TIME = 10_000
/**
 * Milliseconds between checks while the link is down. A stream that the hub does not take any more ends; one that it
 * still takes continues, because the hub may only be restarting.
 */
const STREAM_CHECK_INTERVAL = 5000
/** Milliseconds for the response to a reboot request to be sent. */
const REBOOT_DELAY = 200

/** State of a device, as reported to the supervisor. */
export interface Report {
  sn: string
  name: string
  link: LinkState
  behaviour: string
  registration: number | undefined
}

export interface SimulatedDevice {
  /** Connects to the hub, at once if the device is waiting for its next attempt. */
  start(): void
  applyCommand(command: BehaviourCommand): void
  stop(): void
}

interface SimulatedDeviceOptions {
  entry: RosterEntry
  /** The fleet's folder. */
  folder: string
  /** Receives a line when the hub refuses, rejects or deletes the device. */
  log?(text: string): void
  seed: string
  hub: HubLink
  report(report: Report): void
  /** Shorter times for tests. */
  timing?: { reboot: number; install: number }
}

export function createSimulatedDevice(options: SimulatedDeviceOptions): SimulatedDevice {
  const device = new Device(options)
  return {
    start: () => device.start(),
    applyCommand: (command) => device.applyCommand(command),
    stop: () => device.stop()
  }
}

class Device {
  readonly #options: SimulatedDeviceOptions
  readonly #timing: { reboot: number; install: number }
  readonly #state: SavedState
  readonly #machine: Machine
  readonly #upgrader: Upgrader
  readonly #appliance: Appliance
  readonly #pusher: Pusher
  readonly #player: Player
  readonly #link: DeviceLink
  /** Link of a second device with the same serial number and key, for the behaviour `twin`. */
  readonly #twinLink: DeviceLink
  #isRestarting = false
  #restartTimer: NodeJS.Timeout | undefined
  /** Whether the device did not come back from an update, for the behaviour `update-lost`. */
  #isLost = false
  /** The refusal that was logged last. */
  #loggedRefusal: number | undefined
  /** Checks the streams while the link is down. */
  #streamTimer: NodeJS.Timeout | undefined

  constructor(options: SimulatedDeviceOptions) {
    const { entry, folder, hub, timing = TIMING } = options
    const state = loadState(folder, entry.sn)
    this.#options = options
    this.#timing = timing
    this.#state = state
    this.#machine = new Machine(entry, () => state.behaviour)
    this.#pusher = createPusher({
      clipPath: () => clipPath(folder, entry.sn),
      isPretending: () => state.behaviour === 'pretend',
      onSending: this.#machine.setPushing
    })
    this.#player = createPlayer({
      isPretending: () => state.behaviour === 'pretend',
      onPlaying: (isPlaying) => this.#machine.setPlaying(isPlaying ? this.#player.sourceUrl() : undefined),
      onReceived: this.#machine.countReceivedBytes
    })
    this.#upgrader = new Upgrader({
      model: entry.model,
      behaviour: () => state.behaviour,
      duration: timing.install,
      // The Pro Convert devices wait for a reboot request after an installation. The others restart by themselves.
      onCompleted: () => entry.model.api !== 'mwapi' && this.#reboot()
    })
    this.#appliance = this.#createAppliance()
    const linkOptions = {
      ...('tls' in hub && { tls: hub.tls }),
      chooseAddress: () => hub,
      // A hub limits how fast one address registers devices, so a large fleet on this machine is spread over sites with
      // addresses of their own.
      localAddress: hub.host.startsWith('127.') && entry.site ? `127.0.1.${entry.site}` : undefined,
      helloHeader: HELLO_HEADER,
      hello: () => createHello(entry, this.#name(), options.seed, state.firmware),
      onSession: (session: ServerHttp2Session) => this.#serve(session)
    }
    this.#twinLink = new DeviceLink({ ...linkOptions, onStateChange() {} })
    this.#link = new DeviceLink({ ...linkOptions, onStateChange: (linkState) => this.#handleLinkState(linkState) })
  }

  start(): void {
    this.#link.dial()
    if (this.#state.behaviour === 'twin') this.#twinLink.dial()
  }

  applyCommand(command: BehaviourCommand): void {
    if (command === 'drop') {
      this.#link.reconnectAfter(DROP_TIME)
      return
    }
    if (this.#state.behaviour === 'twin') this.#twinLink.stop()
    this.#state.behaviour = command
    this.#save()
    if (command === 'twin') this.#twinLink.dial()
    if (command === 'pretend') {
      this.#pusher.restart()
      this.#player.restart()
    }
    if (this.#isLost) this.#link.dial()
    this.#isLost = false
    this.#report()
  }

  stop(): void {
    this.#link.stop()
    this.#twinLink.stop()
    this.#upgrader.cancel()
    this.#stopStreams()
    clearInterval(this.#streamTimer)
    clearTimeout(this.#restartTimer)
  }

  #name(): string {
    return this.#state.name ?? this.#options.entry.name
  }

  #save(): void {
    saveState(this.#options.folder, this.#options.entry.sn, this.#state)
  }

  #report(): void {
    const { state, registration } = this.#link
    this.#logRefusal(registration)
    this.#options.report({
      sn: this.#options.entry.sn,
      name: this.#name(),
      link: state,
      behaviour: this.#state.behaviour,
      registration
    })
  }

  /** Logs a refusal once: the device repeats its attempts, and is registering in between. */
  #logRefusal(registration: number | undefined): void {
    if (registration === this.#loggedRefusal || registration === REGISTRATION_STATE.registering) return
    this.#loggedRefusal = registration
    if (isRefusal(registration))
      this.#options.log?.(`${this.#options.entry.sn} ${this.#name()}: ${registrationText(registration)}`)
  }

  #createAppliance(): Appliance {
    const { entry } = this.#options
    const isRestarting = () => this.#isRestarting
    return {
      entry,
      machine: this.#machine,
      name: () => this.#name(),
      firmware: () => this.#state.firmware ?? entry.model.firmware,
      upgrader: this.#upgrader,
      get restarting() {
        return isRestarting()
      },
      rename: (name) => {
        this.#state.name = name
        this.#save()
        this.#report()
      },
      reboot: () => this.#reboot()
    }
  }

  #serve(session: ServerHttp2Session): void {
    const { hub } = this.#options
    serveLink(session, {
      appliance: this.#appliance,
      behaviour: () => this.#state.behaviour,
      startPush: (order) => this.#pusher.start(hub.host, order),
      stopPush: () => this.#pusher.stop(),
      startPlayback: (order) => this.#player.start(hub.host, order),
      stopPlayback: () => this.#player.stop(),
      setRegistration: (registration) => this.#link.setRegistration(registration)
    })
  }

  #handleLinkState(state: LinkState): void {
    if (state === 'up') {
      clearInterval(this.#streamTimer)
      this.#streamTimer = undefined
    } else this.#streamTimer ??= setInterval(() => this.#stopUnusedStreams(), STREAM_CHECK_INTERVAL)
    this.#report()
  }

  #stopUnusedStreams(): void {
    // A device that the hub has rejected or deleted ends all streams.
    const isDialling = this.#link.state === 'dialling'
    for (const stream of [this.#pusher, this.#player]) if (!isDialling || !stream.isRunning()) stream.stop()
  }

  #stopStreams(): void {
    this.#pusher.stop()
    this.#player.stop()
  }

  /** @returns false if the device is already about to restart */
  #reboot(): boolean {
    if (this.#isRestarting) return false
    this.#isRestarting = true
    this.#restartTimer = setTimeout(() => this.#restart(), REBOOT_DELAY)
    return true
  }

  #restart(): void {
    this.#isRestarting = false
    this.#stopStreams()
    this.#machine.restart()
    const isUpdated = this.#upgrader.state().step === 'completed'
    const version = this.#upgrader.completeRestart()
    if (version !== undefined) {
      this.#state.firmware = version
      this.#save()
    }
    this.#isLost = isUpdated && this.#state.behaviour === 'update-lost'
    if (this.#isLost) this.#link.stop()
    else this.#link.reconnectAfter(this.#timing.reboot)
  }
}
