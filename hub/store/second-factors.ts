// Second factors of users: encrypted secrets in the user's row, and hashes of recovery codes.
import type { Database } from '../database/database.ts'

/** The owner of the encrypted secret of a user. */
export const secretOwner = ({ id }: { id: number }) => `second factor of user ${id}`

export function secondFactors(database: Database) {
  // Codes that were accepted during a storage fault, when they cannot be recorded: they must not be accepted again.
  const usedSteps = new Map<number, number>()
  const usedRecoveryCodes = new Set<string>()

  function removeRecoveryCodes(userId: number): void {
    database.run('DELETE FROM recovery_code WHERE user_id = ?', userId)
  }

  return {
    /**
     * Switches the second factor of a user on.
     * @param secret encrypted
     * @param step time step of the code that proved the secret, which is not accepted again
     * @param now milliseconds since the epoch
     */
    enable(userId: number, secret: string, step: number, now: number): void {
      database.run(
        'UPDATE user SET second_factor = ?, second_factor_step = ?, second_factor_since = ? WHERE id = ?',
        secret,
        step,
        now,
        userId
      )
      usedSteps.delete(userId)
    },
    clear(userId: number): void {
      database.run("UPDATE user SET second_factor = '', second_factor_since = 0 WHERE id = ?", userId)
      removeRecoveryCodes(userId)
    },
    /**
     * Records the use of a code, on disk when this returns, or in memory during a storage fault.
     * @returns whether its time step is later than that of every code that was used before
     */
    useStep(userId: number, step: number): boolean {
      const stored = database.get<{ step: number }>('SELECT second_factor_step AS step FROM user WHERE id = ?', userId)
      if (!stored || step <= Math.max(stored.step, usedSteps.get(userId) ?? 0)) return false
      usedSteps.set(userId, step)
      database.transactionOrLater(() =>
        database.run('UPDATE user SET second_factor_step = ? WHERE id = ?', step, userId)
      )
      return true
    },
    /** Replaces all recovery codes of a user. */
    setRecoveryCodes(userId: number, hashes: readonly string[]): void {
      removeRecoveryCodes(userId)
      for (const hash of hashes) database.run('INSERT INTO recovery_code (user_id, hash) VALUES (?, ?)', userId, hash)
    },
    /** Removes a recovery code, like `useStep`. @returns whether the user had it */
    useRecoveryCode(userId: number, hash: string): boolean {
      const sql = 'SELECT hash FROM recovery_code WHERE user_id = ? AND hash = ?'
      if (usedRecoveryCodes.has(hash) || !database.get(sql, userId, hash)) return false
      usedRecoveryCodes.add(hash)
      database.transactionOrLater(() => {
        database.run('DELETE FROM recovery_code WHERE user_id = ? AND hash = ?', userId, hash)
        usedRecoveryCodes.delete(hash)
      })
      return true
    },
    countRecoveryCodes: (userId: number): number =>
      database.get<{ n: number }>('SELECT count(*) AS n FROM recovery_code WHERE user_id = ?', userId)?.n ?? 0
  }
}

export type SecondFactors = ReturnType<typeof secondFactors>
