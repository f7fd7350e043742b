import { settingsUnavailable } from '../errors.ts'
import { SettingsUnavailable, type SettingsReader, type ShopSettings } from './settings-reader.ts'

/** The current settings, for a waiting request. @throws HttpError 503 when they are unknown */
export async function currentSettings(reader: SettingsReader): Promise<ShopSettings> {
  try {
    return await reader.read()
  } catch (error) {
    throw error instanceof SettingsUnavailable ? settingsUnavailable(error) : error
  }
}
