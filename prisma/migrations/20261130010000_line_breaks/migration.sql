-- Reads both tables once; writes the records that have a carriage return, as texts from Windows do.
--
-- Texts of several lines have a line feed between them, whatever the system that they come from: they are stored so.
UPDATE branches SET description = replace(replace(description, E'\r\n', E'\n'), E'\r', E'\n')
WHERE description LIKE E'%\r%';
UPDATE notes SET text = replace(replace(text, E'\r\n', E'\n'), E'\r', E'\n') WHERE text LIKE E'%\r%';
