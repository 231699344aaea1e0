// Exits after which the supervisor stops everything, and those after which it starts the program again.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { suite } from 'uvu'

const test = suite('supervised program')

/**
 * Supervises a program that exits with status 78 after some milliseconds. @returns the first line that tells what
 * happens then
 */
async function superviseProgram(duration: number): Promise<string> {
  const program = JSON.stringify(['-e', `setTimeout(() => process.exit(78), ${duration})`])
  const supervisor = `
    import { SupervisedProgram } from './supervisor/supervised-program.ts'
    new SupervisedProgram({ name: 'hub', args: ${program}, onRefused: (status) => console.error('Refused: ' + status) }).start()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', supervisor], {
    stdio: ['ignore', 'ignore', 'pipe']
  })
  const exited = once(child, 'exit')
  let text = ''
  for await (const chunk of child.stderr) {
    text += chunk
    if (text.includes('\n')) break
  }
  child.kill('SIGKILL')
  await exited
  return text
}

test('a program that ran well and then exits with a status for operators is started again, and nothing else is stopped', async () => {
  const [first, later] = await Promise.all([superviseProgram(0), superviseProgram(11_000)])
  assert.match(first, /^Refused: 78/)
  assert.match(later, /status 78.*restarted in 30 s/)
})

test.run()
