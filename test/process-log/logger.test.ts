import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import { createLogger, LINES_PER_MINUTE, STACK_MAX, TEXT_MAX } from '../../process-log/logger.ts'

const test = suite('logger')

function collect(options: Parameters<typeof createLogger>[0] = {}) {
  const texts: string[] = []
  const logger = createLogger({ ...options, destination: { write: (text) => void texts.push(text) } })
  return { logger, texts, lines: () => texts.map((text) => JSON.parse(text)) }
}

test('a line is one JSON object with time, level and message', () => {
  const { logger, texts, lines } = collect({ now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 6) })
  logger.warn('Disk is nearly full', { free: 12 })
  assert.deepEqual(lines(), [
    { level: 'warn', time: '2026-01-02T03:04:05.006Z', free: 12, message: 'Disk is nearly full' }
  ])
  assert.match(texts[0] ?? '', /^[^\n]*\n$/)
})

test('text of a client cannot begin a second line', () => {
  const { logger, texts, lines } = collect()
  logger.error('Call failed', new Error('x\n{"level":"fatal"}'), { path: '/a\r\nb\u001b[31m\u2028' })
  assert.equal(texts.length, 1)
  assert.equal(texts[0]?.trimEnd().includes('\n'), false)
  assert.equal(texts[0]?.includes('\u001b'), false)
  assert.equal(lines()[0].path, '/a\r\nb\u001b[31m\u2028')
})

test('texts and stack traces are cut', () => {
  const { logger, lines } = collect()
  const error = new Error('e'.repeat(100_000))
  logger.error('m'.repeat(100_000), error, { path: 'p'.repeat(100_000) })
  const [line] = lines()
  assert.deepEqual(
    [line.message.length, line.path.length, line.error.length],
    [TEXT_MAX + 1, TEXT_MAX + 1, TEXT_MAX + 1]
  )
  assert.equal(line.stack.length, STACK_MAX + 1)
})

test('lines with one message, and all lines, are limited for each minute', () => {
  let time = 0
  const { logger, lines } = collect({ now: () => time })
  for (let count = 0; count < 1000; count++) logger.error('Aborted')
  assert.equal(lines().length, LINES_PER_MINUTE.perMessage)
  assert.equal(lines().at(-1).more, true)
  for (let count = 0; count < 5000; count++) logger.error(`Message ${count}`)
  assert.equal(lines().length, LINES_PER_MINUTE.total)
  time = 60_000
  logger.error('Aborted')
  assert.equal(lines().length, LINES_PER_MINUTE.total + 1)
})

test('lines below the level are not written', () => {
  const { logger, lines } = collect({ level: 'warn' })
  logger.debug('a')
  logger.info('b')
  logger.warn('c')
  logger.error('d')
  assert.deepEqual(
    lines().map(({ message }) => message),
    ['c', 'd']
  )
})

test('the process writes to stderr at the level of LOG_LEVEL, also directly before it exits', () => {
  const run = (level?: string) => {
    const code =
      "const { logger } = await import('./process-log/logger.ts'); logger.info('one'); logger.error('two'); process.exit(3)"
    const env = { ...process.env, ...(level && { LOG_LEVEL: level }) }
    const { stderr, stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { env })
    assert.deepEqual([status, stdout.length], [3, 0])
    return stderr
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).message)
  }
  assert.deepEqual(run(), ['one', 'two'])
  assert.deepEqual(run('error'), ['two'])
  assert.deepEqual(run('nonsense'), ['one', 'two'])
})

test.run()
