-- The point of an upload that stays visible where it is cropped, as shares of its width and height from the upper left corner.
alter table media
  add column focal_x double precision,
  add column focal_y double precision,
  add constraint media_focal_point check (
    (focal_x is null) = (focal_y is null) and focal_x between 0 and 1 and focal_y between 0 and 1);
