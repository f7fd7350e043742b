import type { Client, Connection, Submittable } from 'pg'

/** A column of a result, as PostgreSQL describes it. */
export interface DescribedColumn {
  name: string
  dataTypeID: number
  /** The table and number of a column that is returned as it is stored; zero for the value of an expression. */
  tableID: number
  columnID: number
}

/**
 * Has PostgreSQL describe the columns of a statement, without running it.
 * @throws Error of PostgreSQL when the statement does not fit the schema
 */
export function describeStatement(client: Client, text: string): Promise<readonly DescribedColumn[]> {
  return new Promise((resolve, reject) => {
    const description: Submittable & Record<string, unknown> = {
      submit(connection: Connection) {
        connection.parse({ text, name: '', types: [] }, true)
        connection.describe({ type: 'S', name: '' }, true)
        connection.sync()
      },
      handleRowDescription: (message: { fields: readonly DescribedColumn[] }) => resolve(message.fields),
      handleError: reject,
      // For a statement without a result; after one of the other two it has no effect.
      handleReadyForQuery: () => resolve([]),
    }
    client.query(description)
  })
}
