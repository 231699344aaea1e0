// Handler of the MIB of SNMP notifications.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { downloadMib } from '../../../contract/alert/snmp.ts'
import { type Handler, handle } from '../../http/handler.ts'

const FILE = join(import.meta.dirname, '../../alerts/headend-mib.txt')

export const mibHandlers = (): Handler[] => [
  handle(
    downloadMib,
    async () =>
      new Response(await readFile(FILE), {
        headers: {
          'content-type': 'text/plain;charset=utf-8',
          'content-disposition': 'attachment; filename="HEADEND-MIB.txt"'
        }
      })
  )
]
