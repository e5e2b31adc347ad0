"""Tables: Arrow from the wire, given out as pandas, polars or pyarrow."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from .core import Response
from .errors import ConnectionFailed

if TYPE_CHECKING:
    import pandas
    import polars


class Table:
    """Columns that the service sent."""

    def __init__(self, arrow: Any, response: Response) -> None:
        self.arrow = arrow
        self.response = response

    @classmethod
    def read(cls, response: Response) -> Table:
        """Decode an Arrow stream."""
        try:
            with pa.ipc.open_stream(response.content) as stream:
                return cls(stream.read_all(), response)
        except pa.ArrowInvalid as e:
            raise ConnectionFailed(f"the answer is not a whole Arrow stream: {e}") from e

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas frame, with a DatetimeIndex if the table has a date column."""
        frame: pandas.DataFrame = self.arrow.to_pandas(date_as_object=False)
        if "date" in frame.columns:
            frame = frame.set_index("date")
        return frame

    def to_polars(self) -> polars.DataFrame:
        """Return a polars frame."""
        import polars

        frame = polars.from_arrow(self.arrow)
        assert isinstance(frame, polars.DataFrame)
        return frame

    def __len__(self) -> int:
        return int(self.arrow.num_rows)

    def __repr__(self) -> str:
        return f"<Table of {len(self)} rows: {', '.join(self.arrow.column_names)}>"

    def _repr_html_(self) -> str:
        rows = self.arrow.slice(0, 10).to_pylist()
        head = "".join(f"<th>{html.escape(n)}</th>" for n in self.arrow.column_names)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(str(v))}</td>" for v in row.values()) + "</tr>" for row in rows
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>{len(self)} rows</p>"
