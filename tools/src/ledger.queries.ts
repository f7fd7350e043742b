/**
 * Variants whose stock is not the sum of their movements, or whose reserved units are not the sum of their
 * reservations.
 */
export const ledgerFaults = `
  select coalesce(s.variant_id, m.variant_id, h.variant_id) as variant_id, s.on_hand, s.reserved,
    m.on_hand as ledger_on_hand, m.reserved as ledger_reserved, h.units as held
  from catalog.stock s
    full join (
      select variant_id, sum(on_hand_delta)::int as on_hand, sum(reserved_delta)::int as reserved
      from catalog.stock_movements group by 1) m on m.variant_id = s.variant_id
    full join (
      select line->>'variantId' as variant_id, sum((line->>'quantity')::int)::int as units
      from catalog.reservations, jsonb_array_elements(lines) as line where status = 'held' group by 1) h
      on h.variant_id = s.variant_id
  where s.variant_id is null or s.on_hand <> coalesce(m.on_hand, 0) or s.reserved <> coalesce(m.reserved, 0)
    or s.reserved <> coalesce(h.units, 0)`
