// Hands messages to the program Apprise, if it is installed: https://github.com/caronc/apprise
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AppriseConfig } from '../../../contract/alert/apprise.ts'
import { type AlertMessage, answerText, SendError, type Sender, toSendError } from '../sender.ts'

const PROGRAM = 'apprise'
/** Maximum characters of its output that are kept. */
const OUTPUT_MAX = 8192
/** Minimum number of characters of a part of a URL that is treated as a secret. */
const SECRET_MIN = 5

/** Types of messages of Apprise, which set colour and symbol. */
const TYPES: Readonly<Record<AlertMessage['state'], string>> = {
  problem: 'failure',
  reminder: 'failure',
  recovered: 'success',
  test: 'info'
}

/** The parts of the URLs, encoded and decoded, most of which are tokens. The longest come first. */
function secretsOf(urls: readonly string[]): string[] {
  const parts = urls.flatMap((url) => [url, ...url.replace(/^[^:]+:\/\//, '').split(/[/:@?&=#]+/)])
  const decoded = parts.map((part) => {
    try {
      return decodeURIComponent(part)
    } catch {
      return part
    }
  })
  return [...parts, ...decoded].filter(({ length }) => length >= SECRET_MIN).sort((a, b) => b.length - a.length)
}

/**
 * Writes the URLs to a file and removes its name, so that the system deletes the file when it is closed.
 * @returns its descriptor
 */
function openUrlFile(urls: readonly string[]): number {
  const folder = mkdtempSync(join(tmpdir(), 'headend-apprise-'))
  try {
    const descriptor = openSync(join(folder, 'urls'), 'wx+', 0o600)
    writeSync(descriptor, `${urls.join('\n')}\n`)
    return descriptor
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Runs the program. It reads the URLs from an open file, and the text from its standard input, because every user of
 * the machine can read the arguments of a program.
 * @returns what it wrote, and its exit code; null: a signal ended it
 */
async function runApprise(
  { state, severity, title, text }: AlertMessage,
  urls: readonly string[],
  signal: AbortSignal
) {
  const type = state === 'problem' && severity === 'warn' ? 'warning' : TYPES[state]
  const args = ['--verbose', '--config=/dev/fd/3', `--notification-type=${type}`, `--title=${answerText(title)}`]
  const descriptor = openUrlFile(urls)
  const child = spawn(PROGRAM, args, {
    stdio: ['pipe', 'pipe', 'pipe', descriptor],
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' },
    signal,
    killSignal: 'SIGKILL'
  })
  closeSync(descriptor)
  let output = ''
  const collect = (chunk: Buffer) => {
    output = `${output}${chunk}`.slice(-OUTPUT_MAX)
  }
  child.stdout?.on('data', collect)
  child.stderr?.on('data', collect)
  // A program that ends early closes its standard input.
  child.stdin?.on('error', () => {}).end(text || title)
  const [code] = (await once(child, 'close')) as [number | null]
  return { output, code }
}

export const appriseSender: Sender<AppriseConfig> = {
  async send(message, { urls }, signal) {
    const { output, code } = await runApprise(message, urls, signal).catch((error) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw toSendError(error)
      throw new SendError(['Apprise is not installed on the machine of the hub.', '中控所在的机器未安装 Apprise。'], {
        cause: error
      })
    })
    const answer = answerText(output, secretsOf(urls))
    if (code === 0) return answer || 'Apprise has sent the message.'
    throw new SendError([`Apprise could not send: ${answer}`, `Apprise 无法发送：${answer}`])
  }
}
