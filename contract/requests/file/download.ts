// Request schemas of downloads by ticket.
import * as z from 'zod'
import { addDownloadTicket, downloadFile } from '../../file/download.ts'
import { exportPassphrase as passphraseRule } from '../../rules/passphrase.ts'
import { backupName } from '../backup/backup.ts'
import { exportLogFields } from '../log.ts'
import { defineSchema, textRule } from '../schema.ts'

defineSchema(
  addDownloadTicket,
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('log'), ...exportLogFields }),
    z.object({ kind: z.literal('backup'), name: backupName }),
    z.object({ kind: z.literal('export'), passphrase: textRule(passphraseRule).optional() })
  ]) as never
)
defineSchema(downloadFile, z.object({ ticket: z.string().max(64) }))
