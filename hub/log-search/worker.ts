// The worker that reads the logs, with a connection of its own.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { LogChain } from '../store/log-chain.ts'
import { LogReader } from '../store/log-reader.ts'
import type { WorkerReply, WorkerRequest } from './log-search.ts'

const connection = new DatabaseSync(workerData as string, { readOnly: true, timeout: 5000 })
connection.exec('PRAGMA temp_store=MEMORY')
const statements = new Map<string, StatementSync>()

function prepare(sql: string): StatementSync {
  const statement = statements.get(sql) ?? connection.prepare(sql)
  statements.set(sql, statement)
  return statement
}

const database = {
  all: <T>(sql: string, ...values: SQLInputValue[]) => prepare(sql).all(...values) as T[],
  get: <T>(sql: string, ...values: SQLInputValue[]) => prepare(sql).get(...values) as T | undefined
}
const reader = new LogReader(database)

function read(request: WorkerRequest): unknown {
  if (request.method === 'list') return reader.list(...request.args)
  if (request.method === 'chunk') return reader.chunk(...request.args)
  return new LogChain(database).check()
}

parentPort?.on('message', (request: WorkerRequest) => {
  // One snapshot for all statements of a request.
  connection.exec('BEGIN')
  let reply: WorkerReply
  try {
    reply = { result: read(request) }
  } catch (error) {
    reply = { error: (error as Error).message }
  } finally {
    connection.exec('COMMIT')
  }
  parentPort?.postMessage(reply)
})
