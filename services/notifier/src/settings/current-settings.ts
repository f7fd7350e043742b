import { settingsAway } from '../errors.ts'
import { SettingsUnavailable, type SettingsReader, type ShopSettings } from './settings-reader.ts'

/**
 * The settings in force, for somebody who waits for an answer.
 * @throws Refusal 503 when nobody can say what they are
 */
export async function currentSettings(reader: SettingsReader): Promise<ShopSettings> {
  try {
    return await reader.read()
  } catch (error) {
    throw error instanceof SettingsUnavailable ? settingsAway(error) : error
  }
}
