// The environment of a browser test: a hub and its demo fleet as processes with their own data folder, and a browser.
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { SUCCESS } from '../../../contract/codes.ts'
import { acceptDevices, type Device, listDevices, REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { sendControlRequest } from '../../../fleet/process/control-socket.ts'
import { type FleetProcess, startFleet } from '../fleet/fleet-process.ts'
import { type EngineProcess, startEngineProcess } from '../hub/engine-process.ts'
import { type HubProcess, startHubProcess } from '../hub/hub-process.ts'
import { until } from '../until.ts'
import { openChromium } from './browser.ts'
import { type Journey, type PageVisit, visitPage } from './visit.ts'

/** The origin is that of the hub by default. */
export interface Visit extends Omit<PageVisit, 'origin'> {
  origin?: string
}

export interface BrowserEnvironment {
  hub: HubProcess
  /** Process ID of a device of the fleet. */
  pidOf(sn: string): Promise<number>
  /** Starts the process of a device that was killed. */
  startDevice(sn: string): Promise<void>
  /**
   * Opens a page in a new browser context and runs `journey` with it. The visit also fails on browser errors: uncaught
   * exceptions, console errors, requests to other hosts and CSP violations.
   */
  visit(visit: Visit, journey: Journey): Promise<void>
  /**
   * Kills hub and engine like a power failure, runs `whileStopped`, and starts both again with the same data folder and
   * ports.
   */
  restartHub(whileStopped: () => Promise<void>): Promise<void>
  /** Kills the hub or the engine, runs `whileStopped`, and starts it again. */
  restart(program: 'hub' | 'engine', whileStopped: () => Promise<void>): Promise<void>
  /** Waits until the device with this name has registered. @returns the device, as the hub reports it */
  device(name: string): Promise<Device>
  /** Accepts those of the devices that are not accepted yet. */
  accept(...names: string[]): Promise<Device[]>
  close(): Promise<void>
}

export interface EnvironmentOptions {
  /** Number of demo devices, all pending. */
  devices?: number
  /** The clip that they push. */
  clip?: Uint8Array
  open?: () => Promise<Browser>
}

/** What an environment has started. Fields are undefined until started. */
interface Processes {
  data: string
  engine?: EngineProcess
  hub?: HubProcess
  fleet?: FleetProcess
  browser?: Browser
}

async function closeProcesses({ data, engine, hub, fleet, browser }: Processes): Promise<void> {
  await browser?.close()
  await fleet?.kill('SIGTERM')
  if (hub && hub.child.exitCode === null && hub.child.signalCode === null) {
    const exited = once(hub.child, 'exit')
    hub.child.kill('SIGTERM')
    await exited
  }
  await engine?.kill()
  rmSync(data, { recursive: true, force: true })
}

class Environment implements BrowserEnvironment {
  hub: HubProcess
  readonly #processes: Processes
  readonly #browser: Browser

  constructor(processes: Processes, hub: HubProcess, browser: Browser) {
    this.#processes = processes
    this.hub = hub
    this.#browser = browser
  }

  async pidOf(sn: string): Promise<number> {
    return (await this.#processes.fleet?.pidOf(sn)) ?? 0
  }

  async startDevice(sn: string): Promise<void> {
    const { fleet } = this.#processes
    if (fleet) await sendControlRequest(fleet.folder, { act: 'start', sn })
  }

  visit({ origin = this.hub.url, ...visit }: Visit, journey: Journey): Promise<void> {
    return visitPage(this.#browser, { origin, ...visit }, journey)
  }

  async restartHub(whileStopped: () => Promise<void>): Promise<void> {
    await Promise.all([this.hub.kill(), this.#processes.engine?.kill()])
    await whileStopped()
    this.#processes.engine = await startEngineProcess(this.#processes.data)
    await this.#startHub()
  }

  async restart(program: 'hub' | 'engine', whileStopped: () => Promise<void>): Promise<void> {
    await (program === 'hub' ? this.hub : this.#processes.engine)?.kill()
    await whileStopped()
    if (program === 'hub') await this.#startHub()
    else this.#processes.engine = await startEngineProcess(this.#processes.data)
  }

  async #startHub(): Promise<void> {
    const { url, linkPort } = this.hub
    const ports = { web: Number(new URL(url).port), link: linkPort }
    this.hub = await startHubProcess(this.#processes.data, ports)
    this.#processes.hub = this.hub
  }

  async device(name: string): Promise<Device> {
    let match: Device | undefined
    await until(async () => {
      const responses = [
        await this.hub.send(listDevices, {}),
        await this.hub.send(listDevices, { 'reg-state': 'waiting' })
      ]
      match = responses.flatMap(({ list }) => list).find((device) => device.name === name)
      return match !== undefined
    }, `the registration of ${name}`)
    return match as Device
  }

  async accept(...names: string[]): Promise<Device[]> {
    const devices = await Promise.all(names.map((name) => this.device(name)))
    const pending = devices.filter((device) => device['reg-state'] !== REGISTRATION_STATE.accepted)
    if (pending.length === 0) return devices
    const { result } = await this.hub.send(acceptDevices, { sn: pending.map(({ sn }) => sn) })
    if (result !== SUCCESS) throw new Error(`Accepting ${names} failed with result ${result}`)
    return devices
  }

  close(): Promise<void> {
    return closeProcesses(this.#processes)
  }
}

/**
 * Starts an engine, a hub, a fleet if `devices` is not 0, and a browser. @throws Error when the console has not been
 * built
 */
export async function startEnvironment({
  devices = 0,
  clip,
  open = openChromium
}: EnvironmentOptions = {}): Promise<BrowserEnvironment> {
  const dist = process.env.DIST ?? './dist'
  if (!existsSync(join(dist, 'index.html')))
    throw new Error(`There is no console in ${dist}. Run \`make build\` first.`)
  const processes: Processes = { data: mkdtempSync(join(tmpdir(), 'headend-browser-')) }
  try {
    processes.engine = await startEngineProcess(processes.data)
    const hub = await startHubProcess(processes.data)
    processes.hub = hub
    if (devices > 0) processes.fleet = await startFleet(processes.data, hub.linkPort, devices, clip)
    const browser = await open()
    processes.browser = browser
    return new Environment(processes, hub, browser)
  } catch (error) {
    await closeProcesses(processes)
    throw error
  }
}
