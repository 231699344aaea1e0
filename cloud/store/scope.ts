// The rows of one organisation in one transaction. Every query of the store is built here, so that none can leave out
// its organisation.
import type {
  DeleteQueryBuilder,
  DeleteResult,
  Insertable,
  InsertQueryBuilder,
  InsertResult,
  Kysely,
  SelectQueryBuilder,
  Transaction,
  UpdateQueryBuilder,
  UpdateResult
} from 'kysely'
import { trimInPostgres, trimInSqlite } from './log-retention.ts'
import type { DatabaseKind } from './row-security.ts'
import type { TableName, Tables } from './tables.ts'

export class Scope {
  /** Name of the organisation. */
  readonly organisation: string
  readonly #kind: DatabaseKind
  readonly #transaction: Transaction<Tables>

  constructor(organisation: string, kind: DatabaseKind, transaction: Transaction<Tables>) {
    this.organisation = organisation
    this.#kind = kind
    this.#transaction = transaction
  }

  /** Lets transactions of the organisation that depend on the same counts or ids run one after the other. */
  async lock(): Promise<void> {
    await this.update('organisations')
      .set((where) => ({ created: where.ref('created') }))
      .execute()
  }

  /** Removes old lines of the log. */
  async trimLog(): Promise<void> {
    const db = this.#transaction as unknown as Kysely<never>
    if (this.#kind === 'postgres') await trimInPostgres(db)
    else await trimInSqlite(db, this.organisation)
  }

  select<Table extends TableName>(table: Table): SelectQueryBuilder<Tables, Table, Record<never, never>> {
    const query = this.#transaction.selectFrom(table as TableName).where('organisation', '=', this.organisation)
    return query as unknown as SelectQueryBuilder<Tables, Table, Record<never, never>>
  }

  insert<Table extends TableName>(
    table: Table,
    row: Omit<Insertable<Tables[Table]>, 'organisation'>
  ): InsertQueryBuilder<Tables, Table, InsertResult> {
    const owned = { ...row, organisation: this.organisation } as unknown as Insertable<Tables[Table]>
    return this.#transaction.insertInto(table).values(owned)
  }

  update<Table extends TableName>(table: Table): UpdateQueryBuilder<Tables, Table, Table, UpdateResult> {
    const query = this.#transaction.updateTable(table as TableName).where('organisation', '=', this.organisation)
    return query as unknown as UpdateQueryBuilder<Tables, Table, Table, UpdateResult>
  }

  delete<Table extends TableName>(table: Table): DeleteQueryBuilder<Tables, Table, DeleteResult> {
    const query = this.#transaction.deleteFrom(table as TableName).where('organisation', '=', this.organisation)
    return query as unknown as DeleteQueryBuilder<Tables, Table, DeleteResult>
  }
}
