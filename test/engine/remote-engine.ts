// Controls an engine that runs in a separate process (remote-engine-process.ts).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { removeFoldersOfKilledEngines } from '../kit/engine/killed-engine.ts'
import { until } from '../kit/until.ts'
import type { EngineCommand, EngineReport } from './remote-engine-process.ts'

export interface RemoteEngine {
  pid: number
  isRunning(): boolean
  sendCommand(command: EngineCommand): void
  lastReport(): EngineReport
  /** Waits until legs, given by their IDs in the report, have a connection state. */
  waitForState(connState: number, ids: readonly number[]): Promise<void>
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>
}

export function startRemoteEngine(options: EngineCommand['options'] = {}): RemoteEngine {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'remote-engine-process.ts')], {
    stdio: ['pipe', 'pipe', 'inherit']
  })
  let report: EngineReport = { ports: { srt: {}, rtmp: {} }, processes: 0, missing: [], legs: {} }
  createInterface({ input: child.stdout }).on('line', (line) => {
    report = JSON.parse(line)
  })
  child.stdin.on('error', () => {})
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const sendCommand = (command: EngineCommand) => void child.stdin.write(`${JSON.stringify(command)}\n`)
  sendCommand({ options })
  return {
    pid: child.pid ?? 0,
    isRunning,
    sendCommand,
    lastReport: () => report,
    waitForState: (connState, ids) =>
      until(
        () => ids.every((id) => report.legs[id]?.connState === connState),
        () => `legs ${ids} have state ${connState}: ${JSON.stringify(report)}`
      ),
    async kill() {
      if (!isRunning()) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
      removeFoldersOfKilledEngines()
    }
  }
}
