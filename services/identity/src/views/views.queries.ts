import type { Connection, Row, Tx } from '../database.ts'

export type StoredView = Row<'saved_views'>

/** The views of a user, by name. */
export async function listViews(
  connection: Connection,
  userId: string,
  screen: StoredView['screen'],
): Promise<StoredView[]> {
  return connection
    .selectFrom('saved_views')
    .selectAll()
    .where('admin_user_id', '=', userId)
    .where('screen', '=', screen)
    .orderBy('name_key')
    .execute()
}

export async function insertView(tx: Tx, view: StoredView): Promise<void> {
  await tx.insertInto('saved_views').values(view).execute()
}

/** @returns the screen of the view; undefined when the user has no such view */
export async function deleteView(tx: Tx, userId: string, id: string): Promise<Pick<StoredView, 'screen'> | undefined> {
  return tx
    .deleteFrom('saved_views')
    .where('id', '=', id)
    .where('admin_user_id', '=', userId)
    .returning('screen')
    .executeTakeFirst()
}
