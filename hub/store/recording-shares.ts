// Links with which anybody downloads a part of a recording, until they end. The store has only hashes of their tokens.
import type { Database } from '../database/database.ts'

export interface ShareRow {
  id: number
  recording_id: number
  channel_id: number
  /** SHA-256 of the token, in base64url. */
  token_hash: string
  /** The period, in milliseconds since the epoch, as all times. */
  from_time: number
  to_time: number
  expires: number
  /** Name of the user. */
  created_by: string
}

export function recordingShares(database: Database) {
  return {
    /** The newest first. */
    all: (): ShareRow[] => database.all<ShareRow>('SELECT * FROM recording_share ORDER BY id DESC'),
    byHash: (hash: string): ShareRow | undefined =>
      database.get<ShareRow>('SELECT * FROM recording_share WHERE token_hash = ?', hash),
    /** @returns its ID */
    add(share: Omit<ShareRow, 'id'>): number {
      const { recording_id: recording, channel_id: channel, token_hash: hash, from_time: from, to_time: to } = share
      const { expires, created_by: user } = share
      return database.run(
        `INSERT INTO recording_share (recording_id, channel_id, token_hash, from_time, to_time, expires, created_by)
          VALUES (?, ?, ?, ?, ?, ?, ?)`,
        ...[recording, channel, hash, from, to, expires, user]
      ).id
    },
    remove(id: number): void {
      database.run('DELETE FROM recording_share WHERE id = ?', id)
    },
    removeOfRecording(recording: number): void {
      database.run('DELETE FROM recording_share WHERE recording_id = ?', recording)
    },
    removeEnded(now: number): void {
      database.run('DELETE FROM recording_share WHERE expires <= ?', now)
    }
  }
}

export type RecordingShareStore = ReturnType<typeof recordingShares>
